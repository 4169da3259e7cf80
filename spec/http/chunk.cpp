#include "spec/http/chunk.hpp"

#include <array>
#include <charconv>

namespace spec::http {

std::string chunk(std::string_view bytes) {
  if (bytes.empty()) {
    return {};
  }
  constexpr std::string_view kLineEnd = "\r\n";
  std::array<char, 16> size{};
  const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16).ptr;
  std::string text;
  text.reserve(size.size() + bytes.size() + 2 * kLineEnd.size());
  text.assign(size.data(), end);
  return text.append(kLineEnd).append(bytes).append(kLineEnd);
}

}  // namespace spec::http
