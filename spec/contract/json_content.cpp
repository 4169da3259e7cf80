#include "spec/contract/json_content.hpp"

#include <algorithm>

namespace spec::contract {

const MediaTypeObject* json_content(const std::vector<MediaTypeObject>& contents) {
  const http::MediaType json{"application", "json", {}};
  auto found = std::ranges::find_if(
      contents, [](const MediaTypeObject& one) { return one.media_type.is_json(); });
  if (found == contents.end()) {
    found = std::ranges::find_if(
        contents, [&](const MediaTypeObject& one) { return http::includes(one.media_type, json); });
  }
  return found == contents.end() ? nullptr : &*found;
}

}  // namespace spec::contract
