#include "spec/schema/formats/predicates.hpp"
#include "spec/text/ascii.hpp"

#include <cstddef>

namespace spec::schema::formats {
namespace {

// Source: RFC 6570 §2.3, varname.
bool is_variable_name(std::string_view name) {
  bool after_dot = true;
  std::size_t at = 0;
  while (at < name.size()) {
    const char byte = name[at];
    if (text::is_letter_or_digit(byte) || byte == '_') {
      ++at;
      after_dot = false;
    } else if (text::is_triplet(name, at)) {
      at += 3;
      after_dot = false;
    } else if (byte == '.' && !after_dot) {
      ++at;
      after_dot = true;
    } else {
      return false;
    }
  }
  return !after_dot;
}

// Source: RFC 6570 §2.4.1: 1 to 9999, no leading zero.
bool is_prefix_length(std::string_view text) {
  return !text.empty() && text.size() <= 4 && text[0] != '0' &&
         std::ranges::all_of(text, text::is_digit);
}

bool is_variable(std::string_view text) {
  if (text.ends_with('*')) {
    return is_variable_name(text.substr(0, text.size() - 1));
  }
  const std::size_t colon = text.find(':');
  return is_variable_name(text.substr(0, colon)) &&
         (colon == std::string_view::npos || is_prefix_length(text.substr(colon + 1)));
}

// What is between braces.
bool is_expression(std::string_view text) {
  if (!text.empty() && std::string_view("+#./;?&=,!@|").find(text[0]) != std::string_view::npos) {
    text.remove_prefix(1);
  }
  while (true) {
    const std::size_t comma = text.find(',');
    if (!is_variable(text.substr(0, comma))) {
      return false;
    }
    if (comma == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(comma + 1);
  }
}

// Source: RFC 6570 §2.1; the apostrophe is allowed by erratum 6937.
bool is_literal(char byte) {
  return static_cast<unsigned char>(byte) > 0x20 && byte != 0x7F &&
         std::string_view("\"<>\\^`{|}%").find(byte) == std::string_view::npos;
}

}  // namespace

bool is_uri_template(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '{') {
      const std::size_t close = text.find('}', at);
      if (close == std::string_view::npos || !is_expression(text.substr(at + 1, close - at - 1))) {
        return false;
      }
      at = close + 1;
    } else if (text::is_triplet(text, at)) {
      at += 3;
    } else if (is_literal(text[at])) {
      ++at;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace spec::schema::formats
