#pragma once

// Which branch of oneOf or anyOf an instance was meant for, when it fits none. Used only by this
// folder.

#include "spec/schema/validator/validator.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::validator {

// The branch that can be told: by the discriminator, by a property with const or enum that fits, as
// the only one of the right type or, with null aside, at all, or as the one that names most of an
// object's members. kNoId if it cannot be told.
SchemaId meant_branch(const Program& program, const std::vector<SchemaId>& branches,
                      const Frame& frame);

}  // namespace spec::schema::validator
