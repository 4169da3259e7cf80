#include "spec/document/yaml_scalar.hpp"

#include "spec/json/number.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace spec::document {
namespace {

constexpr std::string_view kCoreTags = "tag:yaml.org,2002:";
constexpr std::size_t kMaxShownBytes = 60;

std::string shown_scalar(std::string_view text) {
  return text::one_line(text, kMaxShownBytes);
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), text::is_digit);
  const auto digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

// 0o17 and 0x1F.
Scalar resolve_radix(std::string_view text, int radix) {
  const std::string_view digits = text.substr(2);
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, radix);
  if (stop != end || digits.empty()) {
    return {};
  }
  if (error != std::errc{}) {
    return {.problem = "numbers have at most 64 bits in this notation: " + shown_scalar(text)};
  }
  return {.kind = Kind::kNumber, .text = std::to_string(value)};
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?, put as JSON spells it: no
// plus, no leading zeros, digits on both sides of the point.
Scalar resolve_decimal(std::string_view text) {
  std::string number = text.starts_with('-') ? "-" : "";
  std::string_view rest = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  const std::string_view whole = take_digits(rest);
  const bool dotted = rest.starts_with('.');
  rest.remove_prefix(dotted ? 1 : 0);
  const std::string_view fraction = dotted ? take_digits(rest) : std::string_view();
  if (whole.empty() && fraction.empty()) {
    return {};
  }
  const std::size_t zeros = std::min(whole.find_first_not_of('0'), whole.size());
  number += zeros == whole.size() ? "0" : whole.substr(zeros);
  if (dotted) {
    number += '.';
    number += fraction.empty() ? "0" : fraction;
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    number += rest;
    rest.remove_prefix(1);
    rest.remove_prefix(rest.starts_with('+') || rest.starts_with('-') ? 1 : 0);
    if (take_digits(rest).empty()) {
      return {};
    }
  }
  if (!rest.empty()) {
    return {};
  }
  if (!json::is_number_text(number)) {
    return {.problem = "an exponent has at most 18 digits: " + shown_scalar(text)};
  }
  return {.kind = Kind::kNumber, .text = std::move(number)};
}

Scalar resolve_number(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0o")) {
    return resolve_radix(text, text[1] == 'x' ? 16 : 8);
  }
  const std::string_view unsigned_text =
      text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  if (is_one_of(unsigned_text, {".inf", ".Inf", ".INF"}) ||
      is_one_of(text, {".nan", ".NaN", ".NAN"})) {
    return {.problem = "JSON has no number " + std::string(text) + "; quote it if it is text"};
  }
  return resolve_decimal(text);
}

// The core tag's name, "int"; none for other tags.
std::optional<std::string_view> core_name(std::string_view tag) {
  return tag.starts_with(kCoreTags) ? std::optional(tag.substr(kCoreTags.size())) : std::nullopt;
}

std::string shown_tag(std::string_view tag) {
  const auto name = core_name(tag);
  return name ? "!!" + shown_scalar(*name) : shown_scalar(tag);
}

bool fits(std::string_view name, const Scalar& scalar) {
  const bool number = scalar.kind == Kind::kNumber || !scalar.problem.empty();
  const bool whole = scalar.text.find_first_of(".eE") == std::string::npos;
  return (name == "null" && scalar.kind == Kind::kNull) ||
         (name == "bool" && scalar.kind == Kind::kBoolean) || (name == "float" && number) ||
         (name == "int" && number && whole);
}

}  // namespace

Scalar resolve_scalar(std::string_view text, bool plain,
                      const std::optional<std::string_view>& tag) {
  if (!tag) {
    return plain ? resolve_plain(text) : Scalar();
  }
  const std::string_view name = core_name(*tag).value_or("");
  if (*tag == "!" || name == "str") {
    return {};
  }
  if (!is_one_of(name, {"null", "bool", "int", "float"})) {
    return {.problem =
                "unknown tag " + shown_tag(*tag) +
                "; the known ones are !!str, !!int, !!float, !!bool, !!null, !!map and !!seq"};
  }
  Scalar scalar = resolve_plain(text);
  if (!fits(name, scalar)) {
    return {.problem = "tagged " + shown_tag(*tag) + ", but is " + shown_scalar(text)};
  }
  return scalar;
}

std::string collection_tag_problem(Kind kind, const std::optional<std::string_view>& tag) {
  const std::string_view name = kind == Kind::kObject ? "map" : "seq";
  if (!tag || *tag == "!" || core_name(*tag) == name) {
    return {};
  }
  return "tagged " + shown_tag(*tag) + ", but is " +
         (kind == Kind::kObject ? "a mapping" : "a sequence");
}

Scalar resolve_plain(std::string_view text) {
  constexpr std::string_view kNumberStarts = "+-.0123456789";
  if (text.empty() || is_one_of(text, {"~", "null", "Null", "NULL"})) {
    return {.kind = Kind::kNull};
  }
  if (kNumberStarts.find(text[0]) != std::string_view::npos) {
    return resolve_number(text);
  }
  if (is_one_of(text, {"true", "True", "TRUE"})) {
    return {.kind = Kind::kBoolean, .text = "true"};
  }
  if (is_one_of(text, {"false", "False", "FALSE"})) {
    return {.kind = Kind::kBoolean, .text = "false"};
  }
  return {};
}

}  // namespace spec::document
