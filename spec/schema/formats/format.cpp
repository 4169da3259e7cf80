#include "spec/schema/formats/format.hpp"

#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/formats/predicates.hpp"
#include "spec/schema/patterns/pattern_tree.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/utf8.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

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

namespace {

bool is_date_time(std::string_view text) {
  return time::parse_date_time(text).has_value();
}

// OpenAPI's ranges of numbers. That an int32 is whole is left to `type`.
// Source: OpenAPI format registry.
template <typename T>
bool is_in_range(const nlohmann::json& number) {
  static const nlohmann::json min = std::numeric_limits<T>::min();
  static const nlohmann::json max = std::numeric_limits<T>::max();
  if (const auto whole = json::to_int64(number)) {
    return std::in_range<T>(*whole);
  }
  return std::is_gteq(json::compare_numbers(number, min)) &&
         std::is_lteq(json::compare_numbers(number, max));
}

bool is_float(const nlohmann::json& number) {
  const double value = std::abs(json::to_double(number));
  return value <= double{std::numeric_limits<float>::max()};
}

bool is_double(const nlohmann::json& number) {
  return std::isfinite(json::to_double(number));
}

// Source: JSON Schema 2020-12 Validation §7.3.
constexpr std::array kStandard = std::to_array<Format>({
    {"date", "a date like 2025-08-04 (RFC 3339)", time::is_full_date},
    {"date-time", "a date and time like 2025-08-04T05:43:19Z (RFC 3339)", is_date_time},
    {"duration", "a duration like P1DT2H (RFC 3339 appendix A)", time::is_duration},
    {"email", "a mail address (RFC 5321)", is_email},
    {"hostname", "a host name (RFC 1123)", is_hostname},
    {"idn-email", "an international mail address (RFC 6531)", is_idn_email},
    {"idn-hostname", "an international host name (RFC 5890)", is_idn_hostname},
    {"ipv4", "an IPv4 address", is_ipv4},
    {"ipv6", "an IPv6 address", is_ipv6},
    {"iri", "an IRI (RFC 3987)", is_iri},
    {"iri-reference", "an IRI reference (RFC 3987)", is_iri_reference},
    {"json-pointer", "a JSON pointer (RFC 6901)", is_json_pointer},
    {"regex", "a regular expression (ECMA-262)", is_regex},
    {"relative-json-pointer", "a relative JSON pointer", is_relative_json_pointer},
    {"time", "a time with offset like 05:43:19Z (RFC 3339)", time::is_full_time},
    {"uri", "a URI with scheme (RFC 3986)", is_uri},
    {"uri-reference", "a URI reference (RFC 3986)", is_uri_reference},
    {"uri-template", "a URI template (RFC 6570)", is_uri_template},
    {"uuid", "a UUID (RFC 4122)", is_uuid},
});

// Source: OpenAPI 3.1.0 §4.4, 3.0.3 Data Types, and the OpenAPI format registry.
constexpr std::array kOpenApi = std::to_array<Format>({
    {"base64url", "text in base64url (RFC 4648)", is_base64url},
    {"byte", "text in base64 (RFC 4648)", is_base64},
    {"char", "a single character", is_char},
    {"double", "a double-precision number", nullptr, is_double},
    {"float", "a single-precision number", nullptr, is_float},
    {"int16", "a 16-bit integer", nullptr, is_in_range<std::int16_t>},
    {"int32", "a 32-bit integer", nullptr, is_in_range<std::int32_t>},
    {"int64", "a 64-bit integer", nullptr, is_in_range<std::int64_t>},
    {"int8", "an 8-bit integer", nullptr, is_in_range<std::int8_t>},
    {"uint16", "an unsigned 16-bit integer", nullptr, is_in_range<std::uint16_t>},
    {"uint32", "an unsigned 32-bit integer", nullptr, is_in_range<std::uint32_t>},
    {"uint64", "an unsigned 64-bit integer", nullptr, is_in_range<std::uint64_t>},
    {"uint8", "an unsigned 8-bit integer", nullptr, is_in_range<std::uint8_t>},
});

const Format* find_in(std::span<const Format> formats, std::string_view name) {
  const auto found = std::ranges::lower_bound(formats, name, {}, &Format::name);
  return found != formats.end() && found->name == name ? &*found : nullptr;
}

}  // namespace

const Format* find_format(std::string_view name, bool open_api) {
  const Format* found = find_in(kStandard, name);
  return found == nullptr && open_api ? find_in(kOpenApi, name) : found;
}

std::vector<std::string_view> format_names(bool open_api) {
  std::vector<std::string_view> names;
  std::ranges::transform(kStandard, std::back_inserter(names), &Format::name);
  if (open_api) {
    std::ranges::transform(kOpenApi, std::back_inserter(names), &Format::name);
  }
  return names;
}

}  // namespace spec::schema::formats
