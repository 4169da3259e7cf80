#pragma once

// By which values of its discriminator a branch of oneOf or anyOf is meant. Used only by this
// folder and the judge.

#include "spec/schema/program.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace spec::schema::compiler {

// Fills the tables of the discriminators that stand beside branches, of the schemas from `first`
// on, once all of them are compiled.
void add_meanings(Program& program, std::size_t first);

// The name that a referenced schema goes by: "Dog" for "#/components/schemas/Dog" and for
// "Dog.yaml". Source: OpenAPI 3.1.0 §4.8.25.
std::string component_name(std::string_view reference);

}  // namespace spec::schema::compiler
