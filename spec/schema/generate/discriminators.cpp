#include "spec/schema/generate/discriminators.hpp"

#include "spec/schema/applicable.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace spec::schema::generate {

namespace {

// The name of a schema that lies under /components/schemas; "" for others.
std::string component_of(const Schema& schema) {
  const document::Node parent = schema.node.parent();
  const bool is_component = parent && parent.key() == "schemas" && parent.parent() &&
                            parent.parent().key() == "components" &&
                            !parent.parent().parent().parent();
  return is_component ? schema.node.key() : "";
}

// Components that are composed of a base schema go by their own name unless the mapping has one.
void add_subtypes(const Program& program, std::vector<Discriminator>& all) {
  for (SchemaId id = 0; id < program.schemas.size(); ++id) {
    const std::string name = component_of(program.schemas[id]);
    for (const SchemaId part :
         name.empty() ? std::vector<SchemaId>{} : applicable(program, id, Reach::kCertain)) {
      const std::uint32_t index = program.schemas[part].discriminator;
      if (index == kNoId || all[index].has_alternatives) {
        continue;
      }
      if (part == id) {
        all[index].own_name = name;
      } else if (follow_references(program, id) != part) {
        all[index].names.push_back({name, id});
      }
    }
  }
}

}  // namespace

std::vector<Discriminator> read_discriminators(const Program& program) {
  std::vector<Discriminator> all(program.discriminators.size());
  for (SchemaId id = 0; id < program.schemas.size(); ++id) {
    const Schema& schema = program.schemas[id];
    if (schema.discriminator == kNoId) {
      continue;
    }
    const DiscriminatorTable& table = program.discriminators[schema.discriminator];
    Discriminator& made = all[schema.discriminator];
    made.property = table.property;
    made.owner = id;
    made.has_alternatives = std::ranges::find(schema.rules, Keyword::kDiscriminator,
                                              &Rule::keyword) != schema.rules.end();
    for (const auto& [name, target] : table.mapping) {
      made.names.push_back({name, follow_references(program, target)});
    }
  }
  if (!all.empty()) {
    add_subtypes(program, all);
  }
  return all;
}

std::string_view name_among(const Discriminator& discriminator,
                            const std::vector<SchemaId>& merged) {
  for (const SchemaId id : merged) {
    const auto found = std::ranges::find(discriminator.names, id, &Property::schema);
    if (id != discriminator.owner && found != discriminator.names.end()) {
      return found->name;
    }
  }
  return "";
}

bool names_another(const Discriminator& discriminator, const std::vector<SchemaId>& merged,
                   const nlohmann::json& value) {
  const auto found = value.is_object() ? value.find(discriminator.property) : value.end();
  if (found == value.end() || !found->is_string() || name_among(discriminator, merged).empty()) {
    return false;
  }
  bool is_known = false;
  for (const Property& each : discriminator.names) {
    if (*found == each.name) {
      is_known = true;
      if (std::ranges::find(merged, each.schema) != merged.end()) {
        return false;
      }
    }
  }
  return is_known;
}

}  // namespace spec::schema::generate
