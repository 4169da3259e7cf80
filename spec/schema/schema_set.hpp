#pragma once

// Compiled schemas: a flat vector joined by index (cycles are safe, nothing is shared or owned
// twice). compiler/compiler.hpp fills it; after that it is const and shared.

#include "spec/document/document.hpp"
#include "spec/load_error.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace spec::schema {

using SchemaId = std::uint32_t;

struct Program;  // the compiled schemas; known to this folder only

namespace compiler {
class Compiler;
}

class SchemaSet {
 public:
  SchemaSet();
  ~SchemaSet();
  SchemaSet(SchemaSet&&) noexcept;
  SchemaSet& operator=(SchemaSet&&) noexcept;

  // The node that `id` was compiled from.
  document::Node source(SchemaId id) const;

  // The tolerated problems (CompileOptions::tolerate), which would have been thrown otherwise.
  const std::vector<Problem>& not_understood() const;

  // True if a keyword of the schema, of one that it refers to, or of its elements' is not
  // understood.
  bool is_open(SchemaId id) const;

  // For every schema, by its id: true if a tolerated $ref that leads nowhere, or in a circle, is in
  // it or in anything that it applies.
  std::vector<bool> reaching_lost_references() const;

  // True if some schema has writeOnly.
  bool has_write_only() const;

  const Program& program() const { return *program_; }

 private:
  friend class compiler::Compiler;

  std::unique_ptr<Program> program_;
};

}  // namespace spec::schema
