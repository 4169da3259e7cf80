#include "spec/schema/compiler/compiler.hpp"

#include "spec/schema/compiler/handlers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

namespace spec::schema::compiler {
namespace {

using document::Member;
using document::Node;

// Reads the keyword of `row`; false if there was a problem (if problems are tolerated, the draft
// has a rule for it).
bool is_understood(Draft& draft, const KeywordRow& row, const Node& value) {
  const std::size_t before = draft.compiler.problem_count();
  draft.row = &row;
  handler_of(row.name)(draft, value);
  const bool understood = draft.compiler.problem_count() == before;
  if (!understood && draft.compiler.tolerates()) {
    draft.add(Keyword::kNotUnderstood, row.applies, 0, value);
  }
  return understood;
}

// Leaves the whole schema undecided, because of `node`.
void leave_undecided(Draft& draft, const Node& node) {
  draft.schema.types = kEveryType;
  draft.schema.object = kNoId;
  draft.schema.discriminator = kNoId;
  draft.schema.tracks = false;
  draft.schema.is_side_unclear = true;
  draft.schema.rules.clear();
  draft.add(Keyword::kNotUnderstood, kEveryType, 0, node);
}

// Removes the keywords whose meaning depends on `keyword`, which is not understood.
void leave_dependents_undecided(Draft& draft, std::string_view keyword) {
  const auto drop = [&draft](Keyword dependent) {
    std::erase_if(draft.schema.rules,
                  [dependent](const Rule& rule) { return rule.keyword == dependent; });
  };
  if (!draft.compiler.tolerates()) {
    return;
  }
  if (keyword == "properties" || keyword == "patternProperties") {
    drop(Keyword::kAdditionalProperties);
    if (draft.schema.object != kNoId) {
      draft.object().additional = kNoId;
    }
  } else if (keyword == "prefixItems") {
    drop(Keyword::kItems);
  } else if (keyword == "minContains" || keyword == "maxContains") {
    drop(Keyword::kContains);
  } else if (keyword == "discriminator") {
    drop(Keyword::kDiscriminator);
    draft.schema.discriminator = kNoId;
  } else if (keyword == "nullable") {
    leave_undecided(draft, draft.node.find(keyword));
  }
  static constexpr std::array<std::string_view, 9> kSides{
      "$dynamicRef",       "$ref",       "allOf",    "anyOf",    "oneOf",
      "patternProperties", "properties", "readOnly", "writeOnly"};
  draft.schema.is_side_unclear =
      draft.schema.is_side_unclear || std::ranges::find(kSides, keyword) != kSides.end();
}

void compile_keywords(Draft& draft) {
  // The siblings of a $ref are ignored. Source: OpenAPI 3.0.3, Reference Object.
  const Node reference = draft.node.find("$ref");
  if (draft.rules.open_api_30 && reference) {
    draft.schema.is_reference = true;
    if (!is_understood(draft, *find_keyword("$ref"), reference)) {
      leave_dependents_undecided(draft, "$ref");
    }
    return;
  }
  std::vector<std::string_view> not_understood;
  for (const Member& member : draft.node.members()) {
    const KeywordRow* row = find_keyword(member.key);
    if (row != nullptr && is_known(*row, draft.rules) && handler_of(row->name) != nullptr &&
        !is_understood(draft, *row, member.value)) {
      not_understood.push_back(member.key);
    }
  }
  for (const std::string_view keyword : not_understood) {
    leave_dependents_undecided(draft, keyword);
  }
}

// A boolean schema. OpenAPI 3.0 has them in `additionalProperties` alone.
void compile_boolean(Draft& draft) {
  if (draft.rules.open_api_30 && draft.node.key() != "additionalProperties") {
    draft.compiler.report(draft.node,
                          wrong_kind("a schema (an object, in OpenAPI 3.0)", draft.node));
  }
  if (!draft.node.boolean()) {
    draft.schema.types = 0;
    draft.add(Keyword::kFalse, kEveryType, 0, draft.node);
  }
}

}  // namespace

document::Node Draft::sibling(std::string_view name) const {
  const KeywordRow* sibling = find_keyword(name);
  return sibling != nullptr && is_known(*sibling, rules) ? node.find(name) : document::Node();
}

ObjectTable& Draft::object() {
  if (schema.object == kNoId) {
    schema.object = append(program().objects, ObjectTable{});
  }
  return program().objects[schema.object];
}

SchemaId Compiler::id_of(const Node& node) {
  SchemaId& id = ids_.at(node);
  if (id == kNoId) {
    id = static_cast<SchemaId>(program_->schemas.size());
    program_->schemas.emplace_back().node = node;
  }
  return id;
}

SchemaId Compiler::resolve(const Node& reference, ResourceId base) {
  const auto target = resources_.resolve(reference, reference.string(), base);
  return target ? id_of(target->node) : kNoId;
}

std::uint32_t Compiler::resolve_dynamic(const Node& reference, ResourceId base, SchemaId& target) {
  const auto found = resources_.resolve(reference, reference.string(), base);
  if (!found) {
    return kNoId;
  }
  target = id_of(found->node);
  if (found->dynamic.empty()) {
    return kNoId;
  }
  return append(program_->dynamics,
                DynamicTable{.initial = target, .anchor = found->dynamic, .targets = {}});
}

std::uint32_t Compiler::pattern(const Node& node, std::string_view text) {
  if (const auto known = patterns_.find(std::string(text)); known != patterns_.end()) {
    return known->second;
  }
  auto compiled = patterns::Pattern::compile(text);
  if (!compiled) {
    const auto& error = compiled.error();
    report(node, "invalid pattern \"" + std::string(text) + "\": " + error.message + " (at byte " +
                     std::to_string(error.offset) + ')');
    return kNoId;
  }
  program_->pattern_texts.emplace_back(text);
  const std::uint32_t index = append(program_->patterns, std::move(compiled.value()));
  patterns_.emplace(text, index);
  return index;
}

SchemaId Compiler::compile(const Node& node) {
  const std::size_t first = program_->schemas.size();
  const std::size_t first_dynamic = program_->dynamics.size();
  next_ = first;
  const SchemaId id = id_of(node);
  do {
    drain();
  } while (add_dynamic_targets());
  std::vector<Problem>& problems = resources_.problems();
  if (tolerates_ || problems.empty()) {
    const std::vector<Loop> loops = find_loops(*program_, first);
    std::ranges::transform(loops, std::back_inserter(problems), &Loop::problem);
    if (tolerates_) {  // each problem has its rule in the program already
      cut_loops(*program_, loops);
      std::ranges::move(std::exchange(problems, {}), std::back_inserter(program_->not_understood));
    }
  }
  if (!problems.empty()) {
    forget(first, first_dynamic);
    fail();
  }
  for (std::size_t place = first; disregards_ && place < program_->schemas.size(); ++place) {
    disregard_contradictions(*program_, static_cast<SchemaId>(place));
  }
  add_steps(*program_, first);
  add_meanings(*program_, first);
  return id;
}

// Schemas of earlier calls must not refer to schemas that are removed.
void Compiler::forget(std::size_t first_schema, std::size_t first_dynamic) {
  for (std::size_t id = first_schema; id < program_->schemas.size(); ++id) {
    ids_.at(program_->schemas[id].node) = kNoId;
  }
  program_->schemas.resize(first_schema);
  program_->dynamics.resize(first_dynamic);
  finished_dynamics_ = 0;
  for (DynamicTable& table : program_->dynamics) {
    std::erase_if(table.targets,
                  [first_schema](const auto& entry) { return entry.second >= first_schema; });
  }
}

void Compiler::fail() {
  std::vector<Problem> problems = std::exchange(resources_.problems(), {});
  std::ranges::stable_sort(problems, {}, [](const Problem& problem) {
    return std::tie(problem.file, problem.line, problem.column);
  });
  throw LoadError(std::move(problems));
}

void Compiler::drain() {
  while (next_ < program_->schemas.size()) {
    compile_one(static_cast<SchemaId>(next_++));
  }
}

void Compiler::compile_one(SchemaId id) {
  const Node node = program_->schemas[id].node;
  const bool is_schema = node.is_object() || node.is_boolean();
  if (!is_schema) {
    // The message does not quote a root that is no schema, since the file may hold anything.
    report(node, node.index() == 0 ? "not a schema: a schema is an object, true or false"
                                   : wrong_kind("a schema (an object, true or false)", node));
    if (!tolerates_) {
      return;
    }
  }
  const ResourceId resource = resources_.resource_of(node);
  Draft draft{
      .compiler = *this, .node = node, .schema = {}, .rules = resources_.at(resource).rules};
  draft.schema.node = node;
  draft.schema.resource = resource;
  draft.schema.vocabularies = draft.rules.vocabularies;
  const std::size_t before = problem_count();
  if (tolerates_ && (!is_schema || resources_.is_misread(node))) {
    leave_undecided(draft, node);
  } else if (node.is_boolean()) {
    compile_boolean(draft);
    if (tolerates_ && problem_count() != before) {
      leave_undecided(draft, node);
    }
  } else {
    compile_keywords(draft);
    note_hints(draft);
  }
  program_->schemas[id] = std::move(draft.schema);
}

// Every resource may become part of a dynamic scope: each of its anchors of the right name is a
// target. True if that added schemas.
bool Compiler::add_dynamic_targets() {
  const std::size_t before = program_->schemas.size();
  if (known_anchors_ != resources_.dynamic_anchor_count()) {
    known_anchors_ = resources_.dynamic_anchor_count();
    finished_dynamics_ = 0;
  }
  for (; finished_dynamics_ < program_->dynamics.size(); ++finished_dynamics_) {
    DynamicTable& table = program_->dynamics[finished_dynamics_];
    for (ResourceId id = 0; id < resources_.size(); ++id) {
      const auto& anchors = resources_.at(id).dynamic_anchors;
      if (const auto found = anchors.find(table.anchor); found != anchors.end()) {
        table.targets[id] = id_of(found->second);
      }
    }
  }
  return program_->schemas.size() != before;
}

}  // namespace spec::schema::compiler
