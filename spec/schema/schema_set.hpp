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

  // What was tolerated (CompileOptions::tolerate): the problems that compiling would have thrown.
  const std::vector<Problem>& not_understood() const;

  // Whether a keyword of the schema, of what it refers to, or of its elements' is not understood.
  bool is_open(SchemaId id) const;

  // Of every schema, by its id: whether a tolerated $ref that leads nowhere, or in a circle, is in
  // it or in anything that it applies.
  std::vector<bool> reaching_lost_references() const;

  // Whether some schema says writeOnly.
  bool has_write_only() const;

  const Program& program() const { return *program_; }

 private:
  friend class compiler::Compiler;

  std::unique_ptr<Program> program_;
};

}  // namespace spec::schema
