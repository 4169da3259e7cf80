#pragma once

// Values as CSV, XML and lines of JSON. Pure functions.

#include "spec/document/document.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace spec::contract::samples {

// An array of objects as a line of names and a line for each; of arrays as lines; else one line.
// Source: RFC 4180 §2.
std::string write_csv(const nlohmann::json& value);

// One JSON text a line for an array, else one line; `before` stands before each: the record
// separator of JSON sequences. Source: RFC 7464 §2.2.
std::string write_json_lines(const nlohmann::json& value, std::string_view before = "");

// Follows a schema's `$ref` to the schema that it means.
using Follow = std::function<document::Node(const document::Node&)>;

// As the schema's `xml` objects say: names, attributes, prefixes, wrapped lists. `schema` may be
// empty. Source: OpenAPI 3.1.0 §4.8.26.
std::string write_xml(const nlohmann::json& value, const document::Node& schema,
                      const Follow& follow);

}  // namespace spec::contract::samples
