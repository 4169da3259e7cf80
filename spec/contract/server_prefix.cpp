#include "spec/contract/server_prefix.hpp"

#include "spec/contract/router.hpp"

#include <algorithm>
#include <cstddef>

namespace spec::contract {

namespace {

// Where the segment after the first `count` starts; the end of the path if it has no more.
std::size_t end_of_segments(std::string_view path, std::size_t count) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < count && end < path.size(); ++i) {
    end = std::min(path.find('/', end + 1), path.size());
  }
  return end;
}

}  // namespace

bool is_open_prefix(std::string_view prefix) {
  return prefix.find('{') != std::string_view::npos;
}

std::optional<std::string_view> behind_prefix(std::string_view path, std::string_view prefix) {
  std::size_t size = prefix.size();
  bool fits = path.starts_with(prefix);
  if (is_open_prefix(prefix)) {
    const auto segments = parse_path_template(prefix);
    size = end_of_segments(path, segments ? segments->size() : 0);
    fits = segments && match_template(*segments, path.substr(0, size));
  }
  return fits && path.size() > size && path[size] == '/' ? std::optional(path.substr(size))
                                                         : std::nullopt;
}

}  // namespace spec::contract
