#pragma once

// ASCII letters and digits, without the locale. Used only by this folder's sources.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace spec::schema::formats {

constexpr bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

constexpr bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

constexpr bool is_hex_digit(char byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

constexpr bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char byte) { return static_cast<unsigned char>(byte) < 0x80; });
}

// The value of the two digits at `at`; -1 if they are not there.
constexpr int two_digits(std::string_view text, std::size_t at) {
  if (at + 2 > text.size() || !is_digit(text[at]) || !is_digit(text[at + 1])) {
    return -1;
  }
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

}  // namespace spec::schema::formats
