#pragma once

// JSON Schema, from document nodes to a SchemaSet. Everything that can be done once is done here:
// references resolved, patterns compiled, constants hashed. A schema that cannot be compiled
// exactly is a LoadError with its place or, if tolerated, undecided; never a silent pass. A
// worklist of schemas, each compiled once by the handlers of its keywords (handlers.hpp), then the
// passes over all of them: dynamic references, endless loops, and the steps of yes/no runs.

#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/schema/compiler/schema_resources.hpp"
#include "spec/schema/program.hpp"
#include "spec/schema/schema_set.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace spec::schema::compiler {

class Compiler {
 public:
  // Adds to `schemas`. The two must outlive the compiler, and no other one adds to them.
  Compiler(document::Library& library, CompileOptions options, SchemaSet& schemas)
      : resources_(library, options),
        program_(schemas.program_.get()),
        tolerates_(options.tolerate),
        disregards_(options.disregard_contradictions) {}

  // Compiles the schema at `node` and all that it refers to; the same node gives the same id.
  // Throws LoadError with every problem found; the schemas of a failed call are removed. If
  // problems are tolerated, each leaves a rule kNotUnderstood in its schema.
  SchemaId compile(const document::Node& node);

  // For the handlers.

  // The id of the schema at `node`, which will be compiled if it is not yet.
  SchemaId id_of(const document::Node& node);
  // The schema that `reference` names from a schema of `base`; kNoId, and a problem, if there is
  // none.
  SchemaId resolve(const document::Node& reference, ResourceId base);
  // The dynamic table of a reference that may need one; kNoId if it is the same as a static one, to
  // `target`.
  std::uint32_t resolve_dynamic(const document::Node& reference, ResourceId base, SchemaId& target);
  // The compiled pattern of `text`; kNoId, and a problem at `node`, if it has none.
  std::uint32_t pattern(const document::Node& node, std::string_view text);

  Program& program() { return *program_; }

  void report(const document::Node& node, const std::string& message) {
    resources_.report(node, message);
  }

  // The number of problems so far.
  std::size_t problem_count() { return resources_.problems().size(); }

  bool tolerates() const { return tolerates_; }

 private:
  void drain();
  void compile_one(SchemaId id);
  bool add_dynamic_targets();
  void forget(std::size_t first_schema, std::size_t first_dynamic);
  [[noreturn]] void fail();

  Resources resources_;
  Program* program_;
  bool tolerates_;
  bool disregards_;
  document::NodeTable<SchemaId> ids_{kNoId};
  std::unordered_map<std::string, std::uint32_t> patterns_;
  std::size_t next_ = 0;               // the first schema that is not compiled yet
  std::size_t finished_dynamics_ = 0;  // tables that have every target known so far
  std::size_t known_anchors_ = 0;      // when they were finished
};

}  // namespace spec::schema::compiler
