#pragma once

// Values as the bytes of bodies, by media type: what checking/body.hpp reads. Used by this folder
// only.

#include "spec/contract/contract.hpp"
#include "spec/contract/plan.hpp"
#include "spec/contract/shape.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace spec::contract::samples {

// A value for a header of a part; nothing when none can be made.
using MakeHeader = std::function<std::optional<nlohmann::json>(const Parameter&)>;

// What a body is written by. `media_type` is what the message will say: never a range.
struct BodyForm {
  const Contract& contract;
  const Content& content;
  const ContentPlan& plan;
  http::MediaType media_type;
};

// `content` with a media type for its range: JSON where the range takes it.
BodyForm form_of(const Contract& contract, const Content& content, const ContentPlan& plan);

BodyKind kind_of(const BodyForm& form);

// "application/json;charset=utf-8"; a multipart type names its boundary.
std::string type_text(const BodyForm& form);

// Nothing for a value that the media type cannot carry.
std::optional<std::string> write_body(const BodyForm& form, const nlohmann::json& value,
                                      const MakeHeader& make_header);

// A body's text, which is UTF-8, in the character set that the form's media type names; JSON has
// escapes for what that lacks. The bytes as they are where it names none or they are no text;
// nothing where they cannot be written so. Source: RFC 9110 §8.3.2.
std::optional<std::string> encode_text(const BodyForm& form, const std::string& bytes);

// A form that the judge does not read into the schema's: XML and so on. Nothing for formats that
// are not known here: JSON under the name of another format would be a lie.
std::optional<std::string> write_other(const BodyForm& form, const nlohmann::json& value);

// The schema that a chain of references at `schema` ends in; itself if it is none.
document::Node followed(const Contract& contract, document::Node schema);

// Whether the form's media type, one of the content's range, is one that we know how to write the
// content's values in.
bool can_be_written(const BodyForm& form);

bool is_xml(const http::MediaType& type);

// A body of a kind that needs no value: a file, bytes within the schema's bounds, a table for CSV.
std::optional<std::string> usual_body(const BodyForm& form);

// Bytes that keep `bounds`.
std::string bytes_within(const std::vector<BytesBound>& bounds);

}  // namespace spec::contract::samples
