#pragma once

// Pieces of text to a JSON value, by the shape of the schema that they are to meet. Scalars are
// read by the types that it allows; strict, so that mock and suite agree on every spelling:
//   integer  5, -5, 0, -0         not +5, " 5", 05, 0x10, 1e1, 5.0, ""
//   number   5, 5.0, 1e1, -0.5    not +5, " 5", 05, .5, 5., 0x10, NaN
//   boolean  true, false          not True, 1, yes
// Null has no spelling; an empty text is a string.

#include "spec/contract/checking/pieces.hpp"
#include "spec/contract/shape.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>

namespace spec::contract::checking {

// What a schema allows besides strings is preferred; a caller may ask for strings first.
enum class Preference : std::uint8_t { kTyped, kText };

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
