#include "spec/schema/parts.hpp"

#include "spec/schema/judge/judge.hpp"

#include <cstddef>
#include <string_view>

namespace spec::schema {
namespace {

// References and compositions are followed only so far, and so many: less may be told then, and
// nothing wrong.
constexpr int kMaxFollowed = 8;
constexpr std::size_t kMaxParts = 1'000;

void add_parts(const Program& program, SchemaId id, int depth, std::vector<const Schema*>& parts) {
  if (depth > kMaxFollowed || parts.size() >= kMaxParts) {
    return;
  }
  const Schema& schema = program.schemas[id];
  parts.push_back(&schema);
  for (const Rule& rule : schema.rules) {
    if (rule.keyword == Keyword::kRef) {
      add_parts(program, rule.operand, depth + 1, parts);
    } else if (rule.keyword == Keyword::kAllOf) {
      for (const SchemaId part : program.lists[rule.operand]) {
        add_parts(program, part, depth + 1, parts);
      }
    }
  }
}

// The schema and all that it refers to or is composed of by allOf.
std::vector<const Schema*> parts_of(const Program& program, SchemaId id) {
  std::vector<const Schema*> parts;
  add_parts(program, id, 0, parts);
  return parts;
}

bool lists_values(const Rule& rule) {
  return rule.keyword == Keyword::kConst || rule.keyword == Keyword::kEnum;
}

TypeSet listed_types(const ConstantSet& constants) {
  TypeSet listed = 0;
  for (const nlohmann::json& value : constants.values()) {
    listed |= judge::type_of(value);
  }
  return listed;
}

// The constants that the schema allows, if it lists them.
const ConstantSet* constants_of(const Program& program, SchemaId id) {
  const ConstantSet* constants = nullptr;
  for (const Schema* part : parts_of(program, id)) {
    for (const Rule& rule : part->rules) {
      if (lists_values(rule)) {
        constants = &program.constants[rule.operand];
      }
    }
  }
  return constants;
}

}  // namespace

TypeSet possible_types(const Program& program, SchemaId id) {
  TypeSet types = kEveryType;
  for (const Schema* part : parts_of(program, id)) {
    types &= part->types;
    for (const Rule& rule : part->rules) {
      if (lists_values(rule)) {
        types &= listed_types(program.constants[rule.operand]);
      }
    }
  }
  return types;
}

std::vector<Tag> tags_of(const Program& program, SchemaId id) {
  std::vector<Tag> tags;
  for (const Schema* part : parts_of(program, id)) {
    if (part->object == kNoId) {
      continue;
    }
    for (const Property& property : program.objects[part->object].properties) {
      if (const ConstantSet* constants = constants_of(program, property.schema)) {
        tags.push_back({.name = &property.name, .constants = constants});
      }
    }
  }
  return tags;
}

SchemaId follow_references(const Program& program, SchemaId id) {
  while (id != kNoId && program.schemas[id].rules.size() == 1 &&
         program.schemas[id].rules[0].keyword == Keyword::kRef) {
    id = program.schemas[id].rules[0].operand;
  }
  return id;
}

std::vector<std::string_view> named_members(const Program& program, SchemaId id) {
  std::vector<std::string_view> names;
  for (const Schema* part : parts_of(program, id)) {
    if (part->object != kNoId) {
      for (const NamedMember& member : program.objects[part->object].members) {
        names.push_back(member.name);
      }
    }
  }
  return names;
}

}  // namespace spec::schema
