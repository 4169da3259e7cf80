#pragma once

// Numbers between bounds and on multiples. Used by this folder only.

#include "spec/schema/generate/believable_values.hpp"
#include "spec/schema/generate/constraints.hpp"
#include "spec/text/random.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace spec::schema::generate {

// A number within the bounds, in the usual range if the bounds leave that open; an integer if it
// must be `whole`. None if there is none. Bounds of more than 18 digits may be missed: the caller
// validates.
std::optional<nlohmann::json> number_for(const Constraints& constraints, bool whole,
                                         const NumberRange& usual, text::Random& random);

struct NumberAtBound {
  nlohmann::json value;
  bool is_at = false;    // the lowest or highest number that is allowed, not one next to it
  bool is_high = false;  // of the upper bound
};

// The values on both sides of each bound: the bound itself and the numbers next to it, an integer
// or multiple away if those are required, else a hundredth or the bound's last digit.
std::vector<NumberAtBound> numbers_at_bounds(const Constraints& constraints);

// The numbers half a multiple above and below `value`, integers if only those are allowed; empty if
// there is no multipleOf, or no integer between two multiples.
std::vector<nlohmann::json> numbers_between_multiples(const nlohmann::json& value,
                                                      const Constraints& constraints);

}  // namespace spec::schema::generate
