#include "spec/schema/applicable.hpp"

#include "spec/document/uri.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/program.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace spec::schema {
namespace {

// The alternatives of anyOf or oneOf that are followed.
std::vector<SchemaId> alternatives_of(const Program& program,
                                      const std::vector<SchemaId>& alternatives, Reach reach) {
  if (reach >= Reach::kPossible) {
    return alternatives;
  }
  std::vector<SchemaId> others;
  if (reach == Reach::kUnlessNull) {
    std::ranges::copy_if(alternatives, std::back_inserter(others),
                         [&program](SchemaId alternative) {
                           return possible_types(program, alternative) != kNullType;
                         });
  }
  return others.size() == 1 ? others : std::vector<SchemaId>{};
}

// The schemas that a dynamic reference can resolve to, each once.
std::vector<SchemaId> targets_of(const DynamicTable& table) {
  std::vector<SchemaId> targets{table.initial};
  for (const auto& [resource, target] : table.targets) {
    targets.push_back(target);
  }
  std::ranges::sort(targets);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

TypeSet listed_types(const ConstantSet& constants) {
  TypeSet listed = 0;
  for (const nlohmann::json& value : constants.values()) {
    const TypeSet type = type_of(value);
    listed |= (type & kNumberType) != 0 ? kNumberType : type;
  }
  return listed;
}

// Nested choices are followed to a limited depth; beyond it every type counts as possible.
constexpr std::size_t kMaxTyped = 1'000;

// Types by schema; a schema that is being computed may have any type.
using KnownTypes = std::unordered_map<SchemaId, TypeSet>;

TypeSet types_of(const Program& program, SchemaId id, KnownTypes& known) {
  const auto [entry, is_new] = known.emplace(id, kEveryType);
  if (!is_new || known.size() > kMaxTyped) {
    return entry->second;
  }
  TypeSet types = kEveryType;
  for (const SchemaId part : applicable(program, id, Reach::kCertain)) {
    types &= program.schemas[part].types;
    for (const Rule& rule : program.schemas[part].rules) {
      if (rule.keyword == Keyword::kConst || rule.keyword == Keyword::kEnum) {
        types &= listed_types(program.constants[rule.operand]);
      } else if (is_choice(rule.keyword)) {
        TypeSet any = 0;
        for (const SchemaId alternative : schemas_in_place(program, rule, Reach::kPossible)) {
          any |= types_of(program, alternative, known);
        }
        types &= any;
      }
    }
  }
  known[id] = types;
  return types;
}

std::optional<SchemaId> if_any(SchemaId id) {
  return id == kNoId ? std::nullopt : std::optional(id);
}

void add_object(const Program& program, const ObjectTable& table, Inner& inner) {
  for (const Property& property : table.properties) {
    inner.properties.push_back({property.name, property.schema});
  }
  for (const PatternProperty& pattern : table.patterns) {
    inner.patterns.push_back({program.pattern_texts[pattern.pattern], pattern.schema});
  }
  inner.additional = if_any(table.additional);
}

}  // namespace

bool is_choice(Keyword keyword) {
  return keyword == Keyword::kAnyOf || keyword == Keyword::kOneOf ||
         keyword == Keyword::kDynamicRef;
}

std::vector<SchemaId> schemas_in_place(const Program& program, const Rule& rule, Reach reach) {
  const bool possible = reach >= Reach::kPossible;
  switch (rule.keyword) {
    case Keyword::kRef: return {rule.operand};
    case Keyword::kAllOf: return program.lists[rule.operand];
    case Keyword::kAnyOf:
    case Keyword::kOneOf: return alternatives_of(program, program.lists[rule.operand], reach);
    case Keyword::kDynamicRef: {
      std::vector<SchemaId> targets = targets_of(program.dynamics[rule.operand]);
      return possible || targets.size() == 1 ? targets : std::vector<SchemaId>{};
    }
    case Keyword::kNot:
      return reach == Reach::kEvery ? std::vector{rule.operand} : std::vector<SchemaId>{};
    default: break;
  }
  std::vector<SchemaId> schemas;
  if (possible && rule.keyword == Keyword::kIf) {
    const ConditionTable& table = program.conditions[rule.operand];
    schemas = {table.condition, table.consequence, table.alternative};
    std::erase(schemas, kNoId);
  } else if (possible && rule.keyword == Keyword::kDependentSchemas) {
    for (const Property& dependent : program.dependent_schemas[rule.operand]) {
      schemas.push_back(dependent.schema);
    }
  }
  return schemas;
}

std::vector<SchemaId> applicable(const Program& program, SchemaId id, Reach reach) {
  std::vector<SchemaId> found;
  std::unordered_set<SchemaId> seen;
  std::vector<SchemaId> open{id};
  while (!open.empty() && found.size() < kMaxApplicable) {
    const SchemaId next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) {
      continue;
    }
    found.push_back(next);
    const std::vector<Rule>& rules = program.schemas[next].rules;
    for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
      const std::vector<SchemaId> applied = schemas_in_place(program, *rule, reach);
      open.insert(open.end(), applied.rbegin(), applied.rend());
    }
  }
  return found;
}

Inner inner_schemas(const Program& program, SchemaId id) {
  const Schema& schema = program.schemas[id];
  Inner inner;
  if (schema.object != kNoId) {
    add_object(program, program.objects[schema.object], inner);
  }
  for (const Rule& rule : schema.rules) {
    switch (rule.keyword) {
      case Keyword::kPrefixItems: inner.prefix = program.lists[rule.operand]; break;
      case Keyword::kItems: inner.elements = program.items[rule.operand].schema; break;
      case Keyword::kUnevaluatedItems: inner.unevaluated_elements = rule.operand; break;
      case Keyword::kUnevaluatedProperties: inner.unevaluated_members = rule.operand; break;
      default: break;
    }
  }
  return inner;
}

std::vector<SchemaId> member_schemas(const Program& program, SchemaId id, std::string_view name) {
  std::vector<SchemaId> schemas;
  if (program.schemas[id].object == kNoId) {
    return schemas;
  }
  const ObjectTable& table = program.objects[program.schemas[id].object];
  const auto known = std::ranges::lower_bound(table.members, name, {}, &NamedMember::name);
  if (known != table.members.end() && known->name == name && known->schema != kNoId) {
    schemas.push_back(known->schema);
  }
  for (const PatternProperty& pattern : table.patterns) {
    if (program.patterns[pattern.pattern].search(name) != patterns::Search::kNotFound) {
      schemas.push_back(pattern.schema);
    }
  }
  if (schemas.empty() && table.additional != kNoId) {
    schemas.push_back(table.additional);
  }
  return schemas;
}

std::vector<SchemaId> element_schemas(const Program& program, SchemaId id, std::size_t index) {
  for (const Rule& rule : program.schemas[id].rules) {
    if (rule.keyword == Keyword::kPrefixItems && index < program.lists[rule.operand].size()) {
      return {program.lists[rule.operand][index]};
    }
    if (rule.keyword == Keyword::kItems && index >= program.items[rule.operand].first) {
      return {program.items[rule.operand].schema};
    }
  }
  return {};
}

document::Node keyword_value(const Program& program, SchemaId id, std::string_view name) {
  const Schema& schema = program.schemas[id];
  const KeywordRow* row = find_keyword(name);
  const bool is_known = row != nullptr && (row->vocabularies & schema.vocabularies) != 0;
  return is_known && (!schema.is_reference || name == "$ref") ? schema.node.find(name)
                                                              : document::Node();
}

document::Node keyword_value(const Program& program, const std::vector<SchemaId>& schemas,
                             Reach reach, std::string_view name) {
  for (const SchemaId schema : schemas) {
    for (const SchemaId part : applicable(program, schema, reach)) {
      if (const document::Node found = keyword_value(program, part, name)) {
        return found;
      }
    }
  }
  return {};
}

std::optional<std::int64_t> default_integer(const Program& program,
                                            const std::vector<SchemaId>& schemas) {
  for (const SchemaId schema : schemas) {
    for (const SchemaId part : applicable(program, schema, Reach::kCertain)) {
      const document::Node found = keyword_value(program, part, "default");
      const auto number = found.is_number() ? json::to_int64(found.value()) : std::nullopt;
      if (number) {
        return number;
      }
    }
  }
  return std::nullopt;
}

std::vector<const ConstantSet*> listed_constants(const Program& program, SchemaId id) {
  std::vector<const ConstantSet*> listed;
  for (const SchemaId part : applicable(program, id, Reach::kCertain)) {
    for (const Rule& rule : program.schemas[part].rules) {
      if (rule.keyword == Keyword::kConst || rule.keyword == Keyword::kEnum) {
        listed.push_back(&program.constants[rule.operand]);
      }
    }
  }
  return listed;
}

std::vector<std::string_view> named_members(const Program& program, SchemaId id) {
  std::vector<std::string_view> names;
  for (const SchemaId part : applicable(program, id, Reach::kCertain)) {
    if (const std::uint32_t object = program.schemas[part].object; object != kNoId) {
      for (const NamedMember& member : program.objects[object].members) {
        names.push_back(member.name);
      }
    }
  }
  return names;
}

TypeSet possible_types(const Program& program, SchemaId id) {
  KnownTypes known;
  return types_of(program, id, known);
}

std::optional<SchemaId> reference_of(const Program& program, SchemaId id) {
  for (const Rule& rule : program.schemas[id].rules) {
    if (rule.keyword == Keyword::kRef && rule.node.key() == "$ref") {
      return rule.operand;
    }
  }
  return std::nullopt;
}

SchemaId follow_references(const Program& program, SchemaId id) {
  while (id != kNoId && program.schemas[id].rules.size() == 1 &&
         program.schemas[id].rules[0].keyword == Keyword::kRef) {
    id = program.schemas[id].rules[0].operand;
  }
  return id;
}

std::string component_name(std::string_view reference) {
  const std::size_t hash = reference.find('#');
  if (hash == std::string_view::npos) {
    const std::string_view file = reference.substr(reference.rfind('/') + 1);
    return std::string(file.substr(0, file.rfind('.')));
  }
  const auto fragment = text::percent_decode(reference.substr(hash + 1));
  const auto tokens = fragment ? json::split_pointer(*fragment) : std::nullopt;
  return tokens && !tokens->empty() ? tokens->back() : fragment.value_or(std::string());
}

}  // namespace spec::schema
