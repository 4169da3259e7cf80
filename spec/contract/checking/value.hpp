#pragma once

// One value that travels as text, a parameter, a header or a form field: read by the schema's
// types, then validated by the schema.

#include "spec/contract/checking/pieces.hpp"
#include "spec/contract/checking/violations.hpp"
#include "spec/contract/plan.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <span>

namespace spec::contract::checking {

// Takes the text apart as asked; called once or more for one value.
using Take = std::function<SplitResult(Form)>;

struct ValueRules {
  const ValuePlan& plan;
  const Shapes& shapes;
  Where where;
  schema::Direction direction = schema::Direction::kRequest;
  bool is_object_only = false;                    // deepObject: never a scalar or list
  const http::MediaType* content_type = nullptr;  // of a parameter with `content`
};

struct ValueReading {
  bool is_given = false;
  std::optional<nlohmann::json> value;  // what could be decoded, valid or not
};

ValueReading read_value(Violations& violations, const ValueRules& rules, const Take& take);

}  // namespace spec::contract::checking
