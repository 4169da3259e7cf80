#pragma once

// Writes values as the text of parameters and headers, in the styles of OpenAPI 3.1.0 §4.8.12.2 to
// §4.8.12.4 and RFC 6570: the inverse of checking/pieces.hpp. Delimiters inside values are encoded.
// Pure functions, safe from any thread.

#include "spec/contract/contract.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract::write {

// A string as it is, a number or boolean as JSON; none for null, arrays and objects.
std::optional<std::string> scalar_text(const nlohmann::json& value);

// Names and values, encoded, of one value in a query, form or cookie: "a=1", "a=2".
using Fields = std::vector<std::pair<std::string, std::string>>;

// None for a value that the style cannot carry: null, an empty list, lists in lists.
std::optional<Fields> write_fields(const FieldStyle& field, const nlohmann::json& value);

// The text of a path parameter inside its template; none as above, or for an empty text.
std::optional<std::string> write_path(const Parameter& parameter, const nlohmann::json& value,
                                      Version version);

// A query or cookie parameter. A whole query that is no form is one text without a name.
std::optional<Fields> write_fields(const Contract& contract, const Parameter& parameter,
                                   const nlohmann::json& value);

// A header's value, not encoded; none also for a text that no field line can carry.
std::optional<std::string> write_header(const Parameter& parameter, const nlohmann::json& value);

// The literal part of a path template for a target: bytes that no URI has are encoded, triplets
// stay. Source: RFC 3986 §3.3.
std::string write_literal(std::string_view text);

// "a=1&b=2"; a text without a name as it is.
std::string join_fields(const Fields& fields, std::string_view delimiter);

}  // namespace spec::contract::write
