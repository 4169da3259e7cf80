#pragma once

// Numbers that people write on command lines and in preferences: decimal, whatever the locale.
// JSON's numbers are json/number.hpp's. Pure functions.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace spec::text {

// The number that the whole of `text` writes; nothing for a plus sign, blanks, anything behind the
// number, and a number that `Number` cannot hold.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}

// What the value of a flag must be where `text` is something else; "" where it is that. For parsers
// of command lines that take a larger number for the largest, and NaN for any.
std::string why_not_whole(const std::string& text, std::uint64_t min, std::uint64_t max);
std::string why_not_between(const std::string& text, double min, double max);

// Any whole number of 64 bits.
std::string why_no_seed(const std::string& text);

}  // namespace spec::text
