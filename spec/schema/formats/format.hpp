#pragma once

// The values of `format` and their tests. An unknown format is an annotation and asserts nothing.
// Pure functions, safe from any thread.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace spec::schema::formats {

// A test of a string, in UTF-8.
using StringTest = bool (*)(std::string_view text);
// A test of a number (spec/json/number.hpp).
using NumberTest = bool (*)(const nlohmann::json& number);

// The assertion of a format; each format has one of the two tests. Instances of other types pass.
struct Format {
  std::string_view name;
  std::string_view meaning;  // "a date as RFC 3339 has it", to follow "must be"
  StringTest test_string = nullptr;
  NumberTest test_number = nullptr;
};

// The format `name` of JSON Schema 2020-12 Validation §7.3; with `open_api` also those of OpenAPI's
// registry (int32, byte, ...). Null if no such format asserts anything. Static data.
const Format* find_format(std::string_view name, bool open_api);

// The names of all that find_format() finds.
std::vector<std::string_view> format_names(bool open_api);

}  // namespace spec::schema::formats
