#pragma once

// Numbers between bounds and on a grid, exact to the last digit. Used by this folder only.

#include "spec/schema/samples/random.hpp"
#include "spec/schema/samples/shape.hpp"
#include "spec/schema/samples/words.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace spec::schema::samples {

// A number that keeps the shape's bounds and multiples, in the usual range where the bounds leave
// that open; an integer if it must be `whole`. Nothing when there is none, or when the bounds have
// more digits than 128 bits hold.
std::optional<nlohmann::json> number_for(const Shape& shape, bool whole, const UsualRange& usual,
                                         Random& random);

// The values on both sides of each bound of the shape: the bound itself and its neighbours on the
// grid that the shape's numbers lie on.
std::vector<nlohmann::json> numbers_at_bounds(const Shape& shape);

}  // namespace spec::schema::samples
