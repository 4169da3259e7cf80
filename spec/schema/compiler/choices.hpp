#pragma once

// Finds by what the branches of each oneOf and anyOf are told apart. Used only by this folder.

#include "spec/schema/program.hpp"

#include <cstddef>

namespace spec::schema::compiler {

// Makes the choices of the schemas from `first` on, once all of them are compiled.
void add_choices(Program& program, std::size_t first);

}  // namespace spec::schema::compiler
