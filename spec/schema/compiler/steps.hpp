#pragma once

// The steps of yes/no runs: a schema's rules in the order that decides soonest, what asks about an
// object's members made one step, and references that need no visit left out. Used only by this
// folder.

#include "spec/schema/program.hpp"

#include <cstddef>

namespace spec::schema::compiler {

// Makes the steps of the schemas from `first` on.
void add_steps(Program& program, std::size_t first);

}  // namespace spec::schema::compiler
