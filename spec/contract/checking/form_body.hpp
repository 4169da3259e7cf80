#pragma once

// Forms to objects: application/x-www-form-urlencoded and multipart/form-data bodies, field by
// field as the media type's `encoding` says. The object is validated by the caller.

#include "spec/contract/checking/message_body.hpp"
#include "spec/contract/checking/pieces.hpp"
#include "spec/contract/shape.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace spec::contract::checking {

// An object, and the names of its members that it lacks: they could not be read, which is a
// violation that was added, or they are of a media type that nothing here reads into their schema.
struct FormReading {
  nlohmann::json value = nlohmann::json::object();
  std::set<std::string, std::less<>> faulty;
};

// Source: OpenAPI 3.1.0 §4.8.14.4, §4.8.15.
std::optional<FormReading> read_form(Violations& violations, std::string_view body,
                                     const BodyRules& rules);

// Reads files and other bytes as strings; bytes that are not UTF-8 become one character each. None
// if the parts cannot be separated. Source: OpenAPI 3.1.0 §4.8.14.5, RFC 7578.
std::optional<FormReading> read_multipart_form(Violations& violations, std::string_view body,
                                               const BodyRules& rules);

// The parts of a multipart body in order, as an array. None if they cannot be separated, or one
// cannot be read, which is a violation that was added, or is of a media type that nothing here
// reads into its schema. Source: OpenAPI 3.2.0 §4.14, Encoding By Position.
std::optional<nlohmann::json> read_parts(Violations& violations, std::string_view body,
                                         const BodyRules& rules);

// The form in which a field of that shape is read; null for no shape.
Form form_of(const Shape* shape);

// The fields over which an object of that shape is spread, one for each member.
ObjectFields members_of(const Shape* shape);

// A field, or an element of it, read as a body of `media_type` is. None if that is not possible;
// the violation is added. Source: OpenAPI 3.1.0 §4.8.15.1.
struct FieldText {
  std::string_view name;
  const http::MediaType& media_type;
  std::string_view text;
  std::optional<ShapeId> shape;
};

std::optional<nlohmann::json> read_field(Violations& violations, const BodyRules& rules,
                                         const FieldText& field);

}  // namespace spec::contract::checking
