#pragma once

// Writes values as the bytes of bodies, by media type: the inverse of checking/message_body.hpp.
// Pure functions.

#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract::write {

struct Body {
  std::string media_type;  // the value of Content-Type
  std::string bytes;
};

// The media type, schema and encodings to write a body by.
struct BodyForm {
  const Contract& contract;
  const MediaTypeObject& content;
  http::MediaType media_type;  // of the message: never a range
};

// `content` with `sent_as` for its range of media types, or else the usual type: JSON if the range
// includes it.
BodyForm form_of(const Contract& contract, const MediaTypeObject& content,
                 const std::optional<http::MediaType>& sent_as = std::nullopt);

BodyKind kind_of(const BodyForm& form);

// True if the values of the content can be written in the form's media type, one of its range.
bool can_be_written(const BodyForm& form);

// True if bodies of the type hold one value after another: lines of JSON, events.
bool is_sequence(const http::MediaType& type);

// Makes a value for a header of a part; none if that is not possible.
using MakeHeader = std::function<std::optional<nlohmann::json>(const Parameter&)>;

// `value` as a body, in the character set that the media type names or, if that is not possible, in
// UTF-8 with a media type that says so. None if the media type cannot carry the value.
std::optional<Body> write_body(const BodyForm& form, const nlohmann::json& value,
                               const MakeHeader& make_header);

// A body that an example writes out, as it is, in the form's media type.
std::optional<Body> serialized_body(const BodyForm& form, const std::string& text,
                                    const MakeHeader& make_header);

// A body of a kind that needs no value: a file, bytes within the schema's bounds. None for other
// kinds.
std::optional<Body> usual_body(const BodyForm& form);

// For this folder only.

// "application/json;charset=utf-8"; a multipart type names its boundary.
std::string type_text(const BodyForm& form);

// Writes the formats that the validator does not decode: XML and so on. None for unknown formats,
// since JSON under their name would be wrong.
std::optional<std::string> write_other(const BodyForm& form, const nlohmann::json& value);

// An array of objects as a line of names and a line for each; of arrays as lines; else one line.
// Source: RFC 4180 §2.
std::string write_csv(const nlohmann::json& value);

// Source: OpenAPI 3.1.0 §4.8.26, XML Object.
std::string write_xml(const BodyForm& form, const nlohmann::json& value);

bool is_xml(const http::MediaType& type);

// A body's text, which is UTF-8, in the character set that the form's media type names; JSON
// escapes the characters that it lacks. The bytes as they are if it names none or they are no text;
// none if they cannot be written so. Source: RFC 9110 §8.3.2.
std::optional<std::string> encode_text(const BodyForm& form, const std::string& bytes);

// Objects as urlencoded and multipart forms. Source: OpenAPI 3.1.0 §4.8.15. Used by this folder
// only.

inline constexpr std::string_view kBoundary = "counterpart-7f3c1b9e";

// None for a value that is no object, or a member that the form cannot carry.
std::optional<std::string> write_form(const BodyForm& form, const nlohmann::json& value);
std::optional<std::string> write_multipart(const BodyForm& form, const nlohmann::json& value,
                                           const MakeHeader& make_header);

// A multipart body that an example writes out as text, with its own boundary, or as JSON text of
// the form. None for another text.
std::optional<Body> written_multipart(BodyForm form, std::string_view text,
                                      const MakeHeader& make_header);

}  // namespace spec::contract::write
