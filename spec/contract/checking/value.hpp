#pragma once

// One value that travels as text, a parameter, a header or a form field: read by the schema's
// types, then validated by the schema.

#include "spec/contract/checking/pieces.hpp"
#include "spec/contract/checking/violations.hpp"
#include "spec/contract/shape.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <span>

namespace spec::contract::checking {

// Takes the text apart as asked; called once or more for one value.
using Take = std::function<SplitResult(Form)>;

struct ValueRules {
  std::optional<schema::SchemaId> schema;
  std::optional<ShapeId> shape;  // nothing: any text will do
  StatementId statement = 0;     // where to point when no keyword can be named
  const Shapes& shapes;
  Where where;
  schema::Direction direction = schema::Direction::kRequest;
  bool is_deep = false;                           // deepObject: its pieces say what they make
  const http::MediaType* content_type = nullptr;  // of a parameter with `content`
};

struct ValueReading {
  bool is_given = false;
  std::optional<nlohmann::json> value;  // what could be decoded, valid or not
};

// Of a parameter or header.
ValueRules rules_of(const Parameter& parameter, const Shapes& shapes, Where where,
                    schema::Direction direction);

ValueReading read_value(Violations& violations, const ValueRules& rules, const Take& take);

}  // namespace spec::contract::checking
