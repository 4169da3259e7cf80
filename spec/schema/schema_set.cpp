#include "spec/schema/schema_set.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/program.hpp"

#include <algorithm>
#include <optional>

namespace spec::schema {

namespace {

bool is_lost_reference(const Rule& rule) {
  return rule.keyword == Keyword::kNotUnderstood && rule.node.is_string() &&
         rule.node.key() == "$ref";
}

// Every schema that this one applies directly: in place, to members or to elements.
std::vector<SchemaId> applied_by(const Program& program, SchemaId id) {
  std::vector<SchemaId> applied;
  for (const Rule& rule : program.schemas[id].rules) {
    const auto there = schemas_in_place(program, rule, Reach::kEvery);
    applied.insert(applied.end(), there.begin(), there.end());
  }
  const Inner inner = inner_schemas(program, id);
  for (const auto* named : {&inner.properties, &inner.patterns}) {
    for (const NamedSchema& each : *named) {
      applied.push_back(each.schema);
    }
  }
  applied.insert(applied.end(), inner.prefix.begin(), inner.prefix.end());
  for (const auto& one :
       {inner.additional, inner.unevaluated_members, inner.elements, inner.unevaluated_elements}) {
    if (one) {
      applied.push_back(*one);
    }
  }
  return applied;
}

}  // namespace

SchemaSet::SchemaSet() : program_(std::make_unique<Program>()) {}

SchemaSet::~SchemaSet() = default;
SchemaSet::SchemaSet(SchemaSet&&) noexcept = default;
SchemaSet& SchemaSet::operator=(SchemaSet&&) noexcept = default;

document::Node SchemaSet::source(SchemaId id) const {
  return program_->schemas[id].node;
}

const std::vector<Problem>& SchemaSet::not_understood() const {
  return program_->not_understood;
}

bool SchemaSet::is_open(SchemaId id) const {
  std::vector<SchemaId> ids{id};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const SchemaId part : applicable(*program_, ids[i], Reach::kCertain)) {
      const std::vector<Rule>& rules = program_->schemas[part].rules;
      if (std::ranges::find(rules, Keyword::kNotUnderstood, &Rule::keyword) != rules.end()) {
        return true;
      }
      const std::optional<SchemaId> elements = inner_schemas(*program_, part).elements;
      if (elements && std::ranges::find(ids, *elements) == ids.end()) {
        ids.push_back(*elements);
      }
    }
  }
  return false;
}

std::vector<bool> SchemaSet::reaching_lost_references() const {
  const std::size_t count = program_->schemas.size();
  std::vector<std::vector<SchemaId>> users(count);
  std::vector<bool> reaching(count, false);
  std::vector<SchemaId> found;
  const auto reach = [&](SchemaId id) {
    if (!reaching[id]) {
      reaching[id] = true;
      found.push_back(id);
    }
  };
  for (SchemaId id = 0; id < count; ++id) {
    for (const SchemaId applied : applied_by(*program_, id)) {
      users[applied].push_back(id);
    }
    if (std::ranges::any_of(program_->schemas[id].rules, &is_lost_reference)) {
      reach(id);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::ranges::for_each(users[found[i]], reach);
  }
  return reaching;
}

bool SchemaSet::has_write_only() const {
  return program_->has_write_only;
}

}  // namespace spec::schema
