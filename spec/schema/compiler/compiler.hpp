#pragma once

// Document nodes to a Program: a worklist of schemas, each compiled once by the handlers of its
// keywords (keyword.hpp), then what needs all of them: dynamic references, endless loops, and the
// steps of yes/no runs. Used only by this folder and compile.cpp.

#include "spec/document/document.hpp"
#include "spec/document/load.hpp"
#include "spec/document/node_table.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/compiler/resources.hpp"
#include "spec/schema/program.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace spec::schema::compiler {

class Compiler {
 public:
  Compiler(document::Library& library, CompileOptions options, Program& program)
      : resources_(library, options), program_(&program), tolerates_(options.tolerate) {}

  // Throws LoadError with every problem found; the schemas of a failed call are forgotten. Where
  // problems are tolerated, each leaves a rule kNotUnderstood in its schema.
  SchemaId compile(const document::Node& node);

  // For the handlers.

  // The id of the schema at `node`, which will be compiled if it is not yet.
  SchemaId id_of(const document::Node& node);
  // The schema that `reference` names from a schema of `base`; kNoId, and a problem, if none.
  SchemaId resolve(const document::Node& reference, ResourceId base);
  // The dynamic table of a reference that may need one; kNoId if it is as good as a static one, to
  // `target`.
  std::uint32_t resolve_dynamic(const document::Node& reference, ResourceId base, SchemaId& target);
  // The compiled pattern of `text`; kNoId, and a problem at `node`, if it has none.
  std::uint32_t pattern(const document::Node& node, std::string_view text);

  Program& program() { return *program_; }

  const Resource& resource(ResourceId id) const { return resources_.at(id); }

  void report(const document::Node& node, const std::string& message);

  // How many problems were found by now.
  std::size_t problem_count() { return problems_.size() + resources_.problems().size(); }

  bool tolerates() const { return tolerates_; }

 private:
  void drain();
  void compile_one(SchemaId id);
  bool add_dynamic_targets();
  void forget(std::size_t first_schema, std::size_t first_dynamic);
  [[noreturn]] void fail();
  void tolerate();

  Resources resources_;
  Program* program_;
  bool tolerates_;
  document::NodeTable<SchemaId> ids_{kNoId};
  std::unordered_map<std::string, std::uint32_t> patterns_;
  std::size_t next_ = 0;               // the first schema that is not compiled yet
  std::size_t finished_dynamics_ = 0;  // tables that have every target known so far
  std::size_t known_anchors_ = 0;      // when they were finished
  std::vector<Problem> problems_;
};

}  // namespace spec::schema::compiler
