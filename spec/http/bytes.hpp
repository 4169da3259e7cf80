#pragma once

// The classes of bytes in an HTTP/1.1 message, as one table of flags, so that the parsers read runs
// of bytes and branch only at the end of a run. For the parsers and for code that checks a field
// before writing it.

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace spec::http {

// The longest decimal and hexadecimal texts of which each fits 64 bits, signed.
inline constexpr std::size_t kMaxDecimalDigits = 18;
inline constexpr std::size_t kMaxHexDigits = 15;

enum ByteClass : std::uint8_t {
  kTokenByte = 1,   // RFC 9110 §5.6.2
  kValueByte = 2,   // RFC 9110 §5.5: VCHAR, obs-text, blank and tab
  kTargetByte = 4,  // allowed in a target; see classes_of()
  kQueryByte = 8,   // also allowed behind "?"
  kHexByte = 16,
  kDigitByte = 32,
  // A host and port by RFC 3986 §3.2, with the brackets of an IP literal; without the delimiters
  // that the grammar has and no name ever used.
  kHostByte = 64
};

namespace detail {

constexpr bool is_one_of(unsigned byte, std::string_view set) {
  return byte < 128 && set.find(static_cast<char>(byte)) != std::string_view::npos;
}

constexpr std::uint8_t classes_of(unsigned byte) {
  const bool digit = text::is_digit(static_cast<char>(byte));
  const bool alpha = text::is_letter(static_cast<char>(byte));
  const bool visible = byte > 0x20 && byte < 0x7f;
  unsigned classes = 0;
  if (digit || alpha || is_one_of(byte, "!#$%&'*+-.^_`|~")) {
    classes |= kTokenByte;
  }
  if (visible || byte >= 0x80 || byte == ' ' || byte == '\t') {
    classes |= kValueByte;
  }
  // Characters that browsers leave raw by the URL standard are allowed besides RFC 3986's: front
  // ends rely on it.
  if (visible && !is_one_of(byte, "\"<>#\\^`{}")) {
    classes |= kTargetByte;
  }
  if (visible && !is_one_of(byte, "\"<>#")) {
    classes |= kQueryByte;
  }
  if (text::is_hex_digit(static_cast<char>(byte))) {
    classes |= kHexByte;
  }
  if (digit) {
    classes |= kDigitByte;
  }
  if (digit || alpha || is_one_of(byte, "-._~%:[]")) {
    classes |= kHostByte;
  }
  return static_cast<std::uint8_t>(classes);
}

constexpr std::array<std::uint8_t, 256> make_byte_table() {
  std::array<std::uint8_t, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) {
    table[byte] = classes_of(byte);
  }
  return table;
}

inline constexpr std::array<std::uint8_t, 256> kByteTable = make_byte_table();

inline constexpr std::size_t kAtOnce = 8;

// True if none of kAtOnce bytes is a control character: in one number, a byte below 0x20 borrows
// from its highest bit, and so does 0x7f once it is made 0.
constexpr bool has_no_control(std::string_view bytes) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  std::array<char, kAtOnce> copy{};
  std::copy_n(bytes.data(), kAtOnce, copy.begin());
  const auto word = std::bit_cast<std::uint64_t>(copy);
  const std::uint64_t from_delete = word ^ (kEach * 0x7f);
  const std::uint64_t borrows =
      ((word - kEach * 0x20) & ~word) | ((from_delete - kEach) & ~from_delete);
  return (borrows & (kEach * 0x80)) == 0;
}

// The classes that all of these bytes have; a loop would take as many instructions again.
template <std::size_t... kAt>
constexpr unsigned common_classes(std::string_view bytes, std::index_sequence<kAt...> /*places*/) {
  return (kByteTable[static_cast<unsigned char>(bytes[kAt])] & ...);
}

// True if kAtOnce bytes are all of `wanted`.
constexpr bool are_all(std::string_view bytes, ByteClass wanted) {
  return (common_classes(bytes, std::make_index_sequence<kAtOnce>()) & wanted) != 0;
}

}  // namespace detail

constexpr bool is_byte(char byte, ByteClass wanted) {
  return (detail::kByteTable[static_cast<unsigned char>(byte)] & wanted) != 0;
}

// The number of bytes at the start of `text` that are of `wanted`. Eight at a time, if all of them
// are: that takes half the instructions, and for values an eighth.
constexpr std::size_t run_of(std::string_view text, ByteClass wanted) {
  std::size_t length = 0;
  while (text.size() - length >= detail::kAtOnce) {
    const std::string_view next = text.substr(length, detail::kAtOnce);
    if (!(wanted == kValueByte && detail::has_no_control(next)) && !detail::are_all(next, wanted)) {
      break;
    }
    length += detail::kAtOnce;
  }
  while (length < text.size() && is_byte(text[length], wanted)) {
    ++length;
  }
  return length;
}

constexpr bool is_all(std::string_view text, ByteClass wanted) {
  return run_of(text, wanted) == text.size();
}

constexpr bool is_token(std::string_view text) {
  return !text.empty() && is_all(text, kTokenByte);
}

constexpr bool is_blank(char byte) {
  return byte == ' ' || byte == '\t';
}

// `text` without blanks and tabs at both ends (RFC 9110 §5.6.3, OWS).
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

// 0 to 15. Precondition: is_byte(digit, kHexByte).
constexpr unsigned hex_digit_value(char digit) {
  return static_cast<unsigned>(text::hex_digit_value(digit));
}

}  // namespace spec::http
