#include "mock_server/reply/memory.hpp"

namespace mock_server::reply {

namespace {

// The memory of a value in its array, which doubles its capacity when it is full, and of its text,
// its members and its digits, with the overhead of the allocator.
constexpr std::size_t kValueBytes = 48;
constexpr std::size_t kTextBytes = 48;
constexpr std::size_t kContainerBytes = 64;
constexpr std::size_t kMemberBytes = 64;
constexpr std::size_t kExactBytes = 80;  // of a number that travels with its text
constexpr std::size_t kDigitBytes = 6;

}  // namespace

std::size_t bytes_of_values(std::string_view text) {
  std::size_t bytes = kValueBytes;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (in_string) {
      bytes += 2;
      at += byte == '\\' ? 1 : 0;
      in_string = byte != '"';
      continue;
    }
    switch (byte) {
      case '"':
        bytes += kTextBytes;
        in_string = true;
        break;
      case ',': bytes += kValueBytes; break;
      case '[':
      case '{': bytes += kValueBytes + kContainerBytes; break;
      case ':': bytes += kMemberBytes; break;
      case '.':
      case 'e':
      case 'E': bytes += kExactBytes; break;
      case ' ':
      case '\t':
      case '\r':
      case '\n': break;
      default: bytes += kDigitBytes; break;
    }
  }
  return bytes;
}

}  // namespace mock_server::reply
