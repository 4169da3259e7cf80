#pragma once

// Handlers of keywords: each reads the value, reports if it is wrong, adds a rule. Used only by
// this folder.

#include "spec/document/document.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/program.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::compiler {

// One schema while its keywords are read.
struct Draft {
  Compiler& compiler;
  document::Node node;
  Schema schema;
  DialectRules rules;
  const KeywordRow* row = nullptr;  // of the keyword that is read now

  Program& program() { return compiler.program(); }

  // Adds the rule that the keyword makes.
  void add(std::uint32_t operand, const document::Node& value) {
    add(row->keyword, row->applies, operand, value);
  }

  void add(Keyword keyword, TypeSet applies, std::uint32_t operand, const document::Node& value) {
    schema.rules.push_back(
        {.keyword = keyword, .applies = applies, .operand = operand, .node = value});
  }

  // The sibling keyword `name`, if this dialect knows it.
  document::Node sibling(std::string_view name) const;
  // The table that the keywords about an object's members share.
  ObjectTable& object();
};

using Handler = void (*)(Draft& draft, const document::Node& value);

// Reads the keyword's value into the draft of its schema; null if nothing depends on it.
Handler handler_of(std::string_view keyword);

// Appends `value` to `table`; its index.
template <typename T>
std::uint32_t append(std::vector<T>& table, T value) {
  table.push_back(std::move(value));
  return static_cast<std::uint32_t>(table.size() - 1);
}

// A message about a value of the wrong kind: "must be a string, but is 5".
std::string wrong_kind(std::string_view wanted, const document::Node& value);

// Notes legal uses of keywords that are likely mistakes.
void note_hints(Draft& draft);

// Keywords about values.
void compile_type(Draft& draft, const document::Node& value);
void compile_enum(Draft& draft, const document::Node& value);
void compile_const(Draft& draft, const document::Node& value);
void compile_multiple_of(Draft& draft, const document::Node& value);
void compile_bound(Draft& draft, const document::Node& value);
void compile_exclusive_bound(Draft& draft, const document::Node& value);
void compile_count(Draft& draft, const document::Node& value);
void compile_pattern(Draft& draft, const document::Node& value);
void compile_format(Draft& draft, const document::Node& value);
void compile_unique_items(Draft& draft, const document::Node& value);

// Keywords about objects.
void compile_required(Draft& draft, const document::Node& value);
void compile_properties(Draft& draft, const document::Node& value);
void compile_pattern_properties(Draft& draft, const document::Node& value);
void compile_additional_properties(Draft& draft, const document::Node& value);
void compile_dependents(Draft& draft, const document::Node& value);

// Keywords about arrays.
void compile_items(Draft& draft, const document::Node& value);
void compile_contains(Draft& draft, const document::Node& value);
void check_contains_bound(Draft& draft, const document::Node& value);

// Keywords that apply schemas in place.
void compile_ref(Draft& draft, const document::Node& value);
void compile_dynamic_ref(Draft& draft, const document::Node& value);
void compile_list(Draft& draft, const document::Node& value);
void compile_subschema(Draft& draft, const document::Node& value);
void compile_unevaluated(Draft& draft, const document::Node& value);
void compile_if(Draft& draft, const document::Node& value);
void compile_definitions(Draft& draft, const document::Node& value);
void compile_unapplied(Draft& draft, const document::Node& value);
void compile_flag(Draft& draft, const document::Node& value);

void compile_discriminator(Draft& draft, const document::Node& value);

// A loop: the schema, and the keyword at `node` that leads back.
struct Loop {
  SchemaId schema = kNoId;
  document::Node node;

  Problem problem() const { return node.problem("the schema recurses without end"); }
};

// The loops among the schemas from `first` on. References that are resolved dynamically are left to
// the validator's limits.
std::vector<Loop> find_loops(const Program& program, std::size_t first);

// Replaces each keyword that leads back by a rule kNotUnderstood.
void cut_loops(Program& program, const std::vector<Loop>& loops);

// Disregards what the schema says against itself or what it combines, so that no value could be
// valid; each has a hint. Before add_steps().
void disregard_contradictions(Program& program, SchemaId id);

// Makes the steps of the schemas from `first` on.
void add_steps(Program& program, std::size_t first);

// Fills the tables of the discriminators that are beside alternatives, of the schemas from `first`
// on, once all of them are compiled.
void add_meanings(Program& program, std::size_t first);

}  // namespace spec::schema::compiler
