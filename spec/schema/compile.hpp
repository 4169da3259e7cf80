#pragma once

// JSON Schema, from document nodes to a flat vector of schemas joined by index (cycles are safe,
// nothing is shared or owned twice). Everything that can be done once is done here: references
// resolved, patterns compiled, constants hashed. A schema that cannot be compiled exactly is a
// LoadError with its place or, if so asked, undecided; never a silent pass. Build once, then share
// const.

#include "spec/document/document.hpp"
#include "spec/document/load.hpp"
#include "spec/load_error.hpp"
#include "spec/result.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spec::schema {

using SchemaId = std::uint32_t;

// The rules that a schema without `$schema` is read by.
enum class Dialect : std::uint8_t { k2020_12, kOpenApi31, kOpenApi30 };

// The dialect of the schemas in an OpenAPI document, by its version and its jsonSchemaDialect. The
// error is what is wrong with the latter.
Result<Dialect, std::string> dialect_of_document(const document::Node& root);

struct CompileOptions {
  Dialect dialect = Dialect::k2020_12;
  // `format` as an assertion (JSON Schema 2020-12 Validation §7.2.2) or an annotation.
  bool assert_format = true;
  // A keyword that is not understood leaves undecided what reaches it, instead of the compile being
  // rejected: see SchemaSet::not_understood().
  bool tolerate = false;
};

struct Program;  // the compiled schemas; known to this folder only

namespace compiler {
class Compiler;
}

// A growing set of compiled schemas over one library of documents.
class SchemaSet {
 public:
  SchemaSet(document::Library& library, CompileOptions options);
  ~SchemaSet();
  SchemaSet(SchemaSet&&) noexcept;
  SchemaSet& operator=(SchemaSet&&) noexcept;

  // Compiles the schema at `node` and all that it refers to; the same node gives the same id.
  // Throws LoadError with every problem found, unless they are tolerated.
  SchemaId compile(const document::Node& node);

  // The node that `id` was compiled from.
  document::Node source(SchemaId id) const;

  // What was tolerated so far: the problems that compile() would have thrown.
  const std::vector<Problem>& not_understood() const;

  // Whether a keyword of the schema, of what it refers to, or of its elements' is not understood.
  bool is_open(SchemaId id) const;

  // Of every schema compiled so far, by its id: whether a tolerated $ref that leads nowhere, or in
  // a circle, is in it or in anything that it applies.
  std::vector<bool> reaching_lost_references() const;

  // Whether some schema says writeOnly.
  bool has_write_only() const;

  const Program& program() const { return *program_; }

 private:
  std::unique_ptr<Program> program_;
  std::unique_ptr<compiler::Compiler> compiler_;
};

}  // namespace spec::schema
