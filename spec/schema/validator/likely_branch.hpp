#pragma once

// The branch of oneOf or anyOf that an instance probably is of, when it is valid against none. Used
// only by this folder.

#include "spec/schema/validator/validator.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::validator {

// The branch that is recognized: by the discriminator, by a property with const or enum that fits,
// as the only one of the right type or, with null aside, at all, or as the one that names most of
// an object's members. kNoId if none is recognized.
SchemaId likely_branch(const Program& program, const std::vector<SchemaId>& branches,
                       const Frame& frame);

}  // namespace spec::schema::validator
