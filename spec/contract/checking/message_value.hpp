#pragma once

// One value that travels as text, a parameter, a header or a form field: read by the schema's
// types, then validated by the schema.

#include "spec/contract/checking/pieces.hpp"
#include "spec/contract/checking/violation_list.hpp"
#include "spec/contract/shape.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace spec::contract::checking {

// Splits the text in the given form; called once or more for one value.
using Take = std::function<SplitResult(Form)>;

struct ValueRules {
  std::optional<schema::SchemaId> schema;
  std::optional<ShapeId> shape;  // none: any text is valid
  StatementId statement = 0;     // of violations without a keyword
  const Shapes& shapes;
  MessagePlace where;
  schema::Direction direction = schema::Direction::kRequest;
  bool is_deep = false;  // deepObject: the pieces' names have the structure
  const http::MediaType* content_type = nullptr;  // of a parameter with `content`
};

struct ValueReading {
  bool is_given = false;
  std::optional<nlohmann::json> value;  // decoded, valid or not
};

// The rules of a parameter or header.
ValueRules rules_of(const Parameter& parameter, const Shapes& shapes, MessagePlace where,
                    schema::Direction direction);

ValueReading read_value(Violations& violations, const ValueRules& rules, const Take& take);

// A header of a response, as the message has it.
ValueReading read_response_header(Violations& violations, const Parameter& header,
                                  const http::Headers& headers);

// Pieces of text to a JSON value, by the shape of the schema that they are to meet. Scalars are
// read by the types that it allows; strict, so that mock and suite agree on every spelling:
//   integer  5, -5, 0, -0         not +5, " 5", 05, 0x10, 1e1, 5.0, ""
//   number   5, 5.0, 1e1, -0.5    not +5, " 5", 05, .5, 5., 0x10, NaN
//   boolean  true, false          not True, 1, yes
// Null has no spelling; an empty text is a string.

// Prefers types other than string that the schema allows, or strings.
enum class Preference : std::uint8_t { kTyped, kText };

struct AssembledValue {
  nlohmann::json value;
  // The text spelled no value of its types and was left as a string, for the schema to reject.
  bool is_undecodable = false;
  // The text could be read as a string or as something else.
  bool is_ambiguous = false;
  std::optional<DecodeError> error;  // the pieces make no value: rule "repeated" or "malformed"
};

AssembledValue assemble(const Shapes& shapes, std::optional<ShapeId> shape, const Pieces& pieces,
                        Preference preference);

}  // namespace spec::contract::checking
