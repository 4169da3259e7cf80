#pragma once

// Schemas that apply themselves to the same instance without end: no instance could be validated by
// them (JSON Schema 2020-12 Core §9.4.1). Used only by this folder.

#include "spec/load_error.hpp"
#include "spec/schema/program.hpp"

#include <cstddef>
#include <vector>

namespace spec::schema::compiler {

// A loop: the schema, and the keyword at `node` that leads back.
struct Loop {
  SchemaId schema = kNoId;
  document::Node node;

  Problem problem() const { return node.problem("the schema recurses without end"); }
};

// The loops among the schemas from `first` on. References that are resolved dynamically are left to
// the validator's limits.
std::vector<Loop> find_loops(const Program& program, std::size_t first);

// Puts a rule kNotUnderstood in the place of each keyword that leads back.
void cut_loops(Program& program, const std::vector<Loop>& loops);

}  // namespace spec::schema::compiler
