// Statements of descriptions that exclude each other, so that no value could ever be valid: usual
// mistakes of OpenAPI documents. The one that says less is disregarded, with a hint at its place.

#include "spec/schema/applicable.hpp"
#include "spec/schema/compiler/handlers.hpp"
#include "spec/schema/program.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::schema::compiler {
namespace {

using Ids = std::vector<SchemaId>;

void disregard(Program& program, SchemaId id, Keyword keyword, const std::string& why) {
  auto& rules = program.schemas[id].rules;
  const auto found = std::ranges::find(rules, keyword, &Rule::keyword);
  if (found != rules.end()) {
    program.hints.push_back(
        found->node.problem('"' + std::string(found->node.key()) + "\" is disregarded: " + why));
    rules.erase(found);
  }
}

void disregard_type(Program& program, SchemaId id, const std::string& why) {
  disregard(program, id, Keyword::kType, why);
  program.schemas[id].types = kEveryType;
  for (Entry& entry : program.entries) {  // of earlier calls
    entry.types = entry.schema == id ? kEveryType : entry.types;
  }
}

// `enum` without a value of the `type` beside it.
void free_constants(Program& program, SchemaId id) {
  const Schema& schema = program.schemas[id];
  for (const Rule& rule : schema.rules) {
    if (rule.keyword != Keyword::kEnum || schema.types == 0) {
      continue;
    }
    const auto& values = program.constants[rule.operand].values();
    const bool has_any = std::ranges::any_of(
        values, [&](const auto& value) { return (type_of(value) & schema.types) != 0; });
    if (!has_any && !values.empty()) {
      disregard_type(program, id, "no value of the \"enum\" beside it is of this type");
      return;
    }
  }
}

ObjectTable* closed_table(Program& program, SchemaId id) {
  const Schema& schema = program.schemas[id];
  ObjectTable* const table = schema.object != kNoId ? &program.objects[schema.object] : nullptr;
  const bool is_closed = table != nullptr && table->additional != kNoId &&
                         table->patterns.empty() && program.schemas[table->additional].types == 0;
  return is_closed ? table : nullptr;
}

// The schema of the property; kNoId where the table has none.
SchemaId property_of(const ObjectTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.properties, name, &Property::name);
  return found != table.properties.end() ? found->schema : kNoId;
}

// A name that another of `all` requires, or the first of all that others have where the closed
// schema has none of its own; "" if it excludes none of them.
std::string excluded_name(const Program& program, const Ids& all, SchemaId closed,
                          const ObjectTable& table) {
  for (const SchemaId id : all) {
    const Schema& schema = program.schemas[id];
    if (id == closed || schema.object == kNoId) {
      continue;
    }
    const ObjectTable& other = program.objects[schema.object];
    for (const std::string& name : other.required) {
      if (property_of(table, name) == kNoId) {
        return name;
      }
    }
    if (table.properties.empty() && !other.properties.empty()) {
      return other.properties.front().name;
    }
  }
  return "";
}

// `additionalProperties: false` that excludes what the schemas beside it are made of.
void free_members(Program& program, const Ids& all) {
  for (const SchemaId id : all) {
    ObjectTable* const table = closed_table(program, id);
    const std::string name =
        table != nullptr ? excluded_name(program, all, id, *table) : std::string();
    if (!name.empty()) {
      disregard(program, id, Keyword::kAdditionalProperties,
                "it excludes \"" + name + "\" of a schema that is combined with it by allOf");
      table->additional = kNoId;
    }
  }
}

// Types of a member that exclude each other: the shortest schemas say least.
void free_types(Program& program, const Ids& all, const std::string& name) {
  Ids schemas;
  for (const SchemaId id : all) {
    const std::uint32_t object = program.schemas[id].object;
    const SchemaId member = object != kNoId ? property_of(program.objects[object], name) : kNoId;
    if (member != kNoId) {
      std::ranges::copy(applicable(program, member, Reach::kCertain), std::back_inserter(schemas));
    }
  }
  std::ranges::stable_sort(schemas, {},
                           [&](SchemaId id) { return program.schemas[id].rules.size(); });
  const auto common = [&] {
    TypeSet types = kEveryType;
    for (const SchemaId id : schemas) {
      types &= program.schemas[id].types;
    }
    return types;
  };
  const bool is_never =
      std::ranges::any_of(schemas, [&](SchemaId id) { return program.schemas[id].types == 0; });
  for (std::size_t i = 0; !is_never && i < schemas.size() && common() == 0; ++i) {
    if (program.schemas[schemas[i]].types != kEveryType) {
      disregard_type(
          program, schemas[i],
          "a schema that is combined with it by allOf gives \"" + name + "\" another type");
    }
  }
}

bool combines(const Schema& schema) {
  return std::ranges::any_of(schema.rules, [&schema](const Rule& rule) {
    return rule.keyword == Keyword::kAllOf ||
           (rule.keyword == Keyword::kRef && schema.rules.size() > 1);
  });
}

}  // namespace

void disregard_contradictions(Program& program, SchemaId id) {
  free_constants(program, id);
  if (!combines(program.schemas[id])) {
    return;
  }
  const Ids all = applicable(program, id, Reach::kCertain);
  free_members(program, all);
  std::set<std::string> once;
  std::set<std::string> several;
  for (const SchemaId part : all) {
    const std::uint32_t object = program.schemas[part].object;
    for (std::size_t i = 0; object != kNoId && i < program.objects[object].properties.size(); ++i) {
      const std::string& name = program.objects[object].properties[i].name;
      (once.insert(name).second ? once : several).insert(name);
    }
  }
  for (const std::string& name : several) {
    free_types(program, all, name);
  }
}

}  // namespace spec::schema::compiler
