#pragma once

// Schemas that lead back to themselves without taking a step into the instance: no instance could
// ever be validated by them (JSON Schema 2020-12 Core §9.4.1). Used only by this folder.

#include "spec/load_error.hpp"
#include "spec/schema/program.hpp"

#include <cstddef>
#include <vector>

namespace spec::schema::compiler {

// Such a way: the schema that leads back by the keyword at `node`.
struct Loop {
  SchemaId schema = kNoId;
  document::Node node;

  Problem problem() const { return node.problem("must not lead back to itself without end"); }
};

// Each such way among the schemas from `first` on. References that are resolved dynamically are
// left to the validator's limits.
std::vector<Loop> find_loops(const Program& program, std::size_t first);

// Puts a rule kNotUnderstood in the place of each keyword that leads back.
void cut_loops(Program& program, const std::vector<Loop>& loops);

}  // namespace spec::schema::compiler
