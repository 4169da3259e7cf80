#include "mock_server/control/kept_text.hpp"

#include "spec/json/utf8.hpp"

#include <algorithm>
#include <cstdint>

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

std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t index = 0; index < 3; ++index) {
      const auto byte = at + index < bytes.size() ? static_cast<unsigned char>(bytes[at + index])
                                                  : static_cast<unsigned char>(0);
      group = (group << 8U) | byte;
    }
    const std::size_t digits = std::min<std::size_t>(bytes.size() - at, 3) + 1;
    for (std::size_t index = 0; index < 4; ++index) {
      text += index < digits ? kAlphabet[(group >> (18U - 6U * index)) & 0x3FU] : '=';
    }
  }
  return text;
}

}  // namespace mock_server::control
