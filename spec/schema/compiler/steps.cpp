#include "spec/schema/compiler/steps.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/prefix.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace spec::schema::compiler {
namespace {

bool is_for_members(Keyword keyword) {
  return keyword == Keyword::kRequired || keyword == Keyword::kProperties ||
         keyword == Keyword::kPatternProperties || keyword == Keyword::kAdditionalProperties;
}

void merge_members(ObjectTable& table) {
  std::map<std::string, NamedMember> members;
  for (const Property& property : table.properties) {
    members[property.name] = {.name = property.name, .schema = property.schema};
  }
  for (const std::string& name : table.required) {
    NamedMember& member = members[name];
    member.name = name;
    table.required_count += member.required ? 0 : 1;
    member.required = true;
  }
  table.members.reserve(members.size());
  for (auto& [name, member] : members) {
    member.prefix = prefix_of(name);
    table.members.push_back(std::move(member));
  }
}

// Keywords in the order of Keyword's values: cheap ones first, unevaluated ones last.
void add_steps_of(Program& program, Schema& schema) {
  std::vector<Step> steps;
  bool members = false;
  for (const Rule& rule : schema.rules) {
    if (is_for_members(rule.keyword)) {
      members = true;
    } else if (rule.keyword != Keyword::kType && rule.keyword != Keyword::kFalse) {
      steps.push_back({.keyword = rule.keyword, .applies = rule.applies, .operand = rule.operand});
    }
    if (rule.keyword != Keyword::kRef && !in_place(program, rule, Reach::kEvery).empty()) {
      schema.composite = true;
    }
  }
  if (members) {
    merge_members(program.objects[schema.object]);
    steps.push_back(
        {.keyword = Keyword::kObject, .applies = kObjectType, .operand = schema.object});
  }
  std::ranges::stable_sort(steps, {}, &Step::keyword);
  schema.plain = !schema.tracks && std::ranges::all_of(steps, [](const Step& step) {
    return step.keyword < Keyword::kRequired;  // all before it are about the value itself
  });
  schema.first_step = static_cast<std::uint32_t>(program.steps.size());
  schema.step_count = static_cast<std::uint32_t>(steps.size());
  program.steps.insert(program.steps.end(), steps.begin(), steps.end());
}

// A schema that is only a reference within its resource: references to it go to its target at once.
// Into another resource the visit counts, for dynamic references.
void set_alias(Program& program, Schema& schema) {
  if (schema.step_count != 1 || schema.types != kEveryType) {
    return;
  }
  const Step& step = program.steps[schema.first_step];
  if (step.keyword == Keyword::kRef && step.applies == kEveryType &&
      program.schemas[step.operand].resource == schema.resource) {
    schema.alias = step.operand;
  }
}

}  // namespace

void add_steps(Program& program, std::size_t first) {
  for (std::size_t id = first; id < program.schemas.size(); ++id) {
    add_steps_of(program, program.schemas[id]);
  }
  for (std::size_t id = first; id < program.schemas.size(); ++id) {
    set_alias(program, program.schemas[id]);
  }
}

}  // namespace spec::schema::compiler
