#include "spec/schema/formats/predicates.hpp"
#include "spec/text/ascii.hpp"

#include <cstddef>

namespace spec::schema::formats {
namespace {

constexpr std::size_t kGroups = 8;

bool is_octet(std::string_view text) {
  if (text.empty() || text.size() > 3 || (text.size() > 1 && text[0] == '0')) {
    return false;
  }
  int value = 0;
  for (const char byte : text) {
    if (!text::is_digit(byte)) {
      return false;
    }
    value = value * 10 + (byte - '0');
  }
  return value <= 255;
}

bool is_group(std::string_view text) {
  return !text.empty() && text.size() <= 4 && std::ranges::all_of(text, text::is_hex_digit);
}

// The number of 16-bit groups that `text` spells between colons, the last two perhaps as an IPv4
// address if `last`; npos if it spells none.
std::size_t count_groups(std::string_view text, bool last) {
  if (text.empty()) {
    return 0;
  }
  std::size_t count = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    const bool at_end = colon == std::string_view::npos;
    if (at_end && last && is_ipv4(group)) {
      return count + 2;
    }
    if (!is_group(group)) {
      return std::string_view::npos;
    }
    ++count;
    if (at_end) {
      return count;
    }
    text.remove_prefix(colon + 1);
  }
}

}  // namespace

bool is_ipv4(std::string_view text) {
  for (int i = 0; i < 3; ++i) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos || !is_octet(text.substr(0, dot))) {
      return false;
    }
    text.remove_prefix(dot + 1);
  }
  return is_octet(text);
}

bool is_ipv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos) {
    return count_groups(text, true) == kGroups;
  }
  const std::size_t before = count_groups(text.substr(0, gap), false);
  const std::size_t after = count_groups(text.substr(gap + 2), true);
  return before < kGroups && after < kGroups && before + after < kGroups;
}

}  // namespace spec::schema::formats
