#pragma once

// ASCII letters, digits and case, without the locale, and the characters of URIs. For every reader
// of text; http/bytes.hpp has the classes of bytes in HTTP messages. Pure functions.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace spec::text {

constexpr bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

constexpr bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

constexpr bool is_letter_or_digit(char byte) {
  return is_letter(byte) || is_digit(byte);
}

// 0 to 15; -1 for a byte that is no hexadecimal digit.
constexpr int hex_digit_value(char byte) {
  if (is_digit(byte)) {
    return byte - '0';
  }
  const int lower = byte | 0x20;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

constexpr bool is_hex_digit(char byte) {
  return hex_digit_value(byte) >= 0;
}

// RFC 3986 §2.3.
constexpr bool is_unreserved(char byte) {
  return is_letter_or_digit(byte) || byte == '-' || byte == '.' || byte == '_' || byte == '~';
}

// True if "%" and two hexadecimal digits are at `at` (RFC 3986 §2.1).
constexpr bool is_triplet(std::string_view text, std::size_t at) {
  return at + 2 < text.size() && text[at] == '%' && is_hex_digit(text[at + 1]) &&
         is_hex_digit(text[at + 2]);
}

// RFC 3986 §3.1.
constexpr bool is_scheme(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, [](char byte) {
    return is_letter_or_digit(byte) || byte == '+' || byte == '-' || byte == '.';
  });
}

// False for "".
constexpr bool is_all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// Reads all of it: without a branch a byte, that is faster than to stop early.
constexpr bool is_ascii(std::string_view text) {
  unsigned bits = 0;
  for (const char byte : text) {
    bits |= static_cast<unsigned char>(byte);
  }
  return (bits & 0x80U) == 0;
}

constexpr char to_lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

constexpr char to_upper(char byte) {
  return byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 'a' + 'A') : byte;
}

// `text` with its ASCII letters in lower case.
inline std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char byte) { return to_lower(byte); });
  return lower;
}

// `text` with its ASCII letters in upper case.
inline std::string to_upper(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](char byte) { return to_upper(byte); });
  return upper;
}

// Equality but for the case of ASCII letters: how field names and most tokens compare.
constexpr bool equals_ignoring_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right,
                            [](char a, char b) { return a == b || to_lower(a) == to_lower(b); });
}

// Numbers on command lines and in preferences: decimal, whatever the locale. JSON's numbers are in
// json/number.hpp. Pure functions.

// The number that is the whole of `text`; none for a plus sign, blanks, anything behind the number,
// and a number that `Number` cannot hold.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}

// The requirement that the value of a flag violates, "must be ..."; "" if it satisfies it. For
// parsers of command lines that take a larger number for the maximum, and NaN for any.
std::string whole_number_error(const std::string& text, std::uint64_t min, std::uint64_t max);
std::string bounds_error(const std::string& text, double min, double max);

// Any whole number of 64 bits.
std::string seed_error(const std::string& text);

}  // namespace spec::text
