#pragma once

// What load_contract computes once for all requests: how each parameter and body of an operation is
// read. Used in this folder only.

#include "spec/contract/contract.hpp"
#include "spec/contract/router.hpp"
#include "spec/contract/shape.hpp"
#include "spec/contract/violation.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract {

// A part of the contract that is not understood, and the part of messages that depends on it: such
// messages are undecided.
struct Gap {
  Part part = Part::kBody;  // of the message
  StatementId statement = 0;
  std::string message;
  bool is_reference = false;  // a $ref that leads nowhere, or in a circle
};

// How a value without types of its own is read.
struct ValuePlan {
  std::optional<ShapeId> shape;  // nothing: any text will do
  std::optional<schema::SchemaId> schema;
  StatementId statement = 0;  // where to point when no keyword can be named
};

// How the bytes of a body are read.
enum class BodyKind : std::uint8_t {
  kJson,
  kForm,
  kMultipart,
  kText,
  kBytes,
  kUnchecked,   // a form that we cannot read into the schema's (XML to objects)
  kByMediaType  // declared as a range: the message's own type decides
};

// A bound on a body that is read as bytes, checked without building an instance.
struct BytesBound {
  enum class Kind : std::uint8_t { kMinCount, kMaxCount, kMinByte, kMaxByte };
  Kind kind = Kind::kMinCount;
  std::int64_t value = 0;
  std::string keyword;
  StatementId statement = 0;
};

// How one property of a form is written. Source: OpenAPI 3.1.0 §4.8.15.
struct EncodingPlan {
  std::string property;
  std::vector<http::MediaType> content_types;
  Style style = Style::kForm;
  bool explode = true;
  bool is_styled = false;  // by style, explode or allowReserved, so that contentType is ignored
  std::vector<Parameter> headers;
  std::vector<ValuePlan> header_values;
  StatementId statement = 0;

  // The first of `content_types` that is no range; null for none.
  const http::MediaType* content_type() const {
    const auto exact = std::ranges::find_if(
        content_types, [](const http::MediaType& type) { return type.subtype != "*"; });
    return exact == content_types.end() ? nullptr : &*exact;
  }
};

struct MediaTypePlan {
  BodyKind kind = BodyKind::kJson;
  ValuePlan value;
  std::vector<BytesBound> bounds;
  std::vector<EncodingPlan> encodings;

  // The Encoding of a property; null for none.
  const EncodingPlan* encoding(std::string_view property) const {
    const auto found = std::ranges::find(encodings, property, &EncodingPlan::property);
    return found == encodings.end() ? nullptr : &*found;
  }
};

struct ResponsePlan {
  std::vector<Gap> gaps;
  std::optional<Gap> content_gap;       // a media type that cannot be read may be the message's
  std::vector<MediaTypePlan> contents;  // as Response::contents
  std::vector<ValuePlan> headers;       // as Response::headers
};

struct OperationPlan {
  std::vector<Gap> gaps;           // of requests
  std::optional<Gap> content_gap;  // as ResponsePlan::content_gap, of the request body
  std::optional<Gap> status_gap;  // an entry of `responses` that cannot be read may be the status's
  std::vector<ValuePlan> parameters;    // as Operation::parameters
  std::vector<MediaTypePlan> contents;  // as RequestBody::contents
  std::vector<ResponsePlan> responses;  // as Operation::responses
  std::vector<Segment> path;
  bool needs_raw_path = false;  // a path parameter is more than one plain value
  bool has_query = false;
  bool has_cookies = false;
};

}  // namespace spec::contract
