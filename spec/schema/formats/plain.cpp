#include "spec/json/pointer.hpp"
#include "spec/schema/formats/predicates.hpp"
#include "spec/schema/patterns/tree.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"

#include <cstddef>

namespace spec::schema::formats {
namespace {

constexpr std::size_t kUuidLength = 36;

bool is_hyphen_place(std::size_t at) {
  return at == 8 || at == 13 || at == 18 || at == 23;
}

// Groups of four, the last one filled with "=".
bool is_padded(std::string_view text, std::string_view last_two) {
  if (text.size() % 4 != 0) {
    return false;
  }
  for (int i = 0; i < 2 && text.ends_with('='); ++i) {
    text.remove_suffix(1);
  }
  return std::ranges::all_of(text, [last_two](char byte) {
    return text::is_letter_or_digit(byte) || byte == last_two[0] || byte == last_two[1];
  });
}

}  // namespace

bool is_uuid(std::string_view text) {
  if (text.size() != kUuidLength) {
    return false;
  }
  for (std::size_t at = 0; at < kUuidLength; ++at) {
    if (is_hyphen_place(at) ? text[at] != '-' : !text::is_hex_digit(text[at])) {
      return false;
    }
  }
  return true;
}

bool is_json_pointer(std::string_view text) {
  return json::split_pointer(text).has_value();
}

bool is_relative_json_pointer(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && text::is_digit(text[end])) {
    ++end;
  }
  if (end == 0 || (end > 1 && text[0] == '0')) {
    return false;
  }
  const std::string_view rest = text.substr(end);
  return rest == "#" || is_json_pointer(rest);
}

bool is_regex(std::string_view text) {
  return patterns::parse(text, patterns::Grammar::kUnicode).has_value();
}

bool is_base64(std::string_view text) {
  return is_padded(text, "+/");
}

bool is_base64url(std::string_view text) {
  while (text.ends_with('=')) {
    text.remove_suffix(1);
  }
  return text.size() % 4 != 1 && std::ranges::all_of(text, [](char byte) {
           return text::is_letter_or_digit(byte) || byte == '-' || byte == '_';
         });
}

bool is_char(std::string_view text) {
  return !text.empty() && text::utf8_sequence(text, 0) == text.size();
}

}  // namespace spec::schema::formats
