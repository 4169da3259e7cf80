#pragma once

// Pieces of text to a JSON value, by the shape of the schema that they are to meet.

#include "spec/contract/checking/pieces.hpp"
#include "spec/contract/checking/scalar.hpp"
#include "spec/contract/shape.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace spec::contract::checking {

struct Assembled {
  nlohmann::json value;
  // A text spelled no value of its types and was left as a string, for the schema to reject.
  bool is_undecodable = false;
  // A text could be read as a string or as something else.
  bool is_ambiguous = false;
  std::optional<Fault> fault;  // the pieces make no value: rule "repeated" or "malformed"
};

Assembled assemble(const Shapes& shapes, std::optional<ShapeId> shape, const Pieces& pieces,
                   Preference preference);

}  // namespace spec::contract::checking
