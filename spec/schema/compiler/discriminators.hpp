#pragma once

// The discriminator values that select each branch of oneOf or anyOf. Used only by this folder.

#include "spec/schema/program.hpp"

#include <cstddef>

namespace spec::schema::compiler {

// Fills the tables of the discriminators that are beside branches, of the schemas from `first`
// on, once all of them are compiled.
void add_meanings(Program& program, std::size_t first);

}  // namespace spec::schema::compiler
