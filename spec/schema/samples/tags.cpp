#include "spec/schema/samples/tags.hpp"

#include "spec/schema/applicable.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace spec::schema::samples {

namespace {

// The name of a schema that lies under /components/schemas; "" for others.
std::string component_of(const Schema& schema) {
  const document::Node parent = schema.node.parent();
  const bool is_component = parent && parent.key() == "schemas" && parent.parent() &&
                            parent.parent().key() == "components" &&
                            !parent.parent().parent().parent();
  return is_component ? schema.node.key() : "";
}

bool has_branches(const Schema& schema) {
  return std::any_of(schema.rules.begin(), schema.rules.end(),
                     [](const Rule& rule) { return rule.keyword == Keyword::kDiscriminator; });
}

// Components that are composed of a parent go by their own name unless the mapping has one.
void add_heirs(const Program& program, std::vector<TagTable>& tables) {
  for (SchemaId id = 0; id < program.schemas.size(); ++id) {
    const std::string name = component_of(program.schemas[id]);
    if (name.empty()) {
      continue;
    }
    for (const SchemaId part : applicable(program, id, Reach::kCertain)) {
      const std::uint32_t index = program.schemas[part].discriminator;
      if (index == kNoId || tables[index].has_branches) {
        continue;
      }
      TagTable& table = tables[index];
      if (part == id) {
        table.own_name = name;
      } else if (follow_references(program, id) != part) {
        table.names.push_back({name, id});
      }
    }
  }
}

}  // namespace

std::vector<TagTable> read_tags(const Program& program) {
  std::vector<TagTable> tables(program.discriminators.size());
  bool has_parents = false;
  for (SchemaId id = 0; id < program.schemas.size(); ++id) {
    const Schema& schema = program.schemas[id];
    if (schema.discriminator == kNoId) {
      continue;
    }
    const DiscriminatorTable& known = program.discriminators[schema.discriminator];
    TagTable& table = tables[schema.discriminator];
    table.property = known.property;
    table.owner = id;
    table.has_branches = has_branches(schema);
    has_parents |= !table.has_branches;
    for (const auto& [name, target] : known.mapping) {
      table.names.push_back({name, follow_references(program, target)});
    }
  }
  if (has_parents) {
    add_heirs(program, tables);
  }
  return tables;
}

std::string_view name_among(const TagTable& table, const std::vector<SchemaId>& merged) {
  for (const SchemaId id : merged) {
    const auto found =
        std::find_if(table.names.begin(), table.names.end(),
                     [&](const TagName& each) { return each.schema == id && id != table.owner; });
    if (found != table.names.end()) {
      return found->name;
    }
  }
  return "";
}

bool is_of_another(const TagTable& table, const std::vector<SchemaId>& merged,
                   const nlohmann::json& value) {
  const auto found = value.is_object() ? value.find(table.property) : value.end();
  if (found == value.end() || !found->is_string() || name_among(table, merged).empty()) {
    return false;
  }
  const auto is_it = [&](const TagName& each) { return each.name == *found; };
  const auto is_merged = [&](const TagName& each) {
    return std::find(merged.begin(), merged.end(), each.schema) != merged.end();
  };
  return std::any_of(table.names.begin(), table.names.end(), is_it) &&
         std::none_of(table.names.begin(), table.names.end(),
                      [&](const TagName& each) { return is_it(each) && is_merged(each); });
}

}  // namespace spec::schema::samples
