#include "mock_server/control/kept_text.hpp"

#include "spec/json/utf8.hpp"

namespace mock_server::control {

std::string as_utf8(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t good = spec::json::valid_utf8_prefix(bytes);
    text.append(bytes.substr(0, good));
    bytes.remove_prefix(good);
    if (!bytes.empty()) {
      text += "\xEF\xBF\xBD";
      bytes.remove_prefix(1);
    }
  }
  return text;
}

}  // namespace mock_server::control
