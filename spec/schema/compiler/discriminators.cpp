// OpenAPI's discriminator. Source: OpenAPI 3.2.0, 3.1.0 §4.8.25, 3.0.3,
// Discriminator Object.

#include "spec/schema/applicable.hpp"
#include "spec/schema/compiler/handlers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace spec::schema::compiler {
namespace {

using document::Member;
using document::Node;
using Json = nlohmann::json;

// The component schema `name` of an OpenAPI document; an empty handle if there is none.
Node component(const Node& root, std::string_view name) {
  return root.find("components").find("schemas").find(name);
}

// Names of components have precedence in a mapping, also those that look like a file's ("Dog.v1").
SchemaId resolve_mapped(Draft& draft, const Node& value) {
  if (!value.is_string()) {
    draft.compiler.report(value, wrong_kind("the name or the URI of a schema", value));
    return kNoId;
  }
  if (const Node named = component(Node(value.document(), 0), value.string())) {
    return draft.compiler.id_of(named);
  }
  return draft.compiler.resolve(value, draft.schema.resource);
}

// Values in the order in which they came, each once.
class Values {
 public:
  void add(const Json& value) {
    if (seen_.insert(value).second) {
      values_.push_back(value);
    }
  }

  void add(const Values& others) {
    for (const Json& value : others.values_) {
      add(value);
    }
  }

  // "" is no name: a reference to a whole document has none.
  void add_name(const std::string& name) {
    if (!name.empty()) {
      add(Json(name));
    }
  }

  bool empty() const { return values_.empty(); }

  std::vector<Json> take() { return std::move(values_); }

 private:
  std::vector<Json> values_;
  std::set<Json> seen_;
};

// Collects every discriminator value that can select an alternative, nested alternatives included.
class Meanings {
 public:
  Meanings(const Program& program, const std::string& property)
      : program_(program), property_(property) {}

  void find(const std::vector<SchemaId>& alternatives) {
    add_alternatives(alternatives);
    for (std::size_t next = 0; next < alternatives_.size(); ++next) {
      look_at(alternatives_[next], next >= alternatives.size());
    }
  }

  Values constants;            // that are listed for the property
  Values names;                // of the alternatives
  Values inner;                // of those inside others, without constants
  std::set<SchemaId> listing;  // the alternatives that have constants

 private:
  void add_alternatives(const std::vector<SchemaId>& alternatives) {
    for (const SchemaId alternative : alternatives) {
      if (seen_.insert(alternative).second) {
        alternatives_.push_back(alternative);
      }
    }
  }

  void look_at(SchemaId alternative, bool is_inner) {
    bool has_constants = false;
    for (const SchemaId part : applicable(program_, alternative, Reach::kCertain)) {
      has_constants |= look_at_part(part);
    }
    if (has_constants) {
      listing.insert(follow_references(program_, alternative));
    }
    for (const Rule& rule : program_.schemas[alternative].rules) {
      if (rule.keyword == Keyword::kRef) {
        const std::string name = component_name(rule.node.string());
        names.add_name(name);
        if (is_inner && !has_constants) {
          inner.add_name(name);
        }
      }
    }
  }

  // True if it has constants.
  bool look_at_part(SchemaId part) {
    const Schema& schema = program_.schemas[part];
    for (const Rule& rule : schema.rules) {
      if (rule.keyword == Keyword::kAnyOf || rule.keyword == Keyword::kOneOf) {
        add_alternatives(program_.lists[rule.operand]);
      }
    }
    if (schema.discriminator != kNoId) {
      add_explicit_names(program_.discriminators[schema.discriminator]);
    }
    bool has_constants = false;
    for (const NamedSchema& property : inner_schemas(program_, part).properties) {
      has_constants |= property.name == property_ && add_constants(property.schema);
    }
    return has_constants;
  }

  void add_explicit_names(const DiscriminatorTable& table) {
    if (table.property == property_) {
      for (std::size_t i = 0; i < table.explicit_names; ++i) {
        inner.add(Json(table.mapping[i].first));
      }
    }
  }

  bool add_constants(SchemaId schema) {
    const std::vector<const ConstantSet*> listed = listed_constants(program_, schema);
    for (const ConstantSet* set : listed) {
      std::ranges::for_each(set->values(), [this](const Json& value) { constants.add(value); });
    }
    return !listed.empty();
  }

  const Program& program_;
  const std::string& property_;
  std::vector<SchemaId> alternatives_;
  std::set<SchemaId> seen_;
};

// Alternatives that are references have their component's name, even if the mapping has another
// one.
void add_implicit_names(const Program& program, const std::vector<SchemaId>& alternatives,
                        DiscriminatorTable& table) {
  for (const SchemaId alternative : alternatives) {
    for (const Rule& rule : program.schemas[alternative].rules) {
      if (rule.keyword == Keyword::kRef && !component_name(rule.node.string()).empty()) {
        table.mapping.emplace_back(component_name(rule.node.string()), rule.operand);
      }
    }
  }
}

// True if the mapping has a name for the schema of the implicit name at `entry`.
bool is_renamed(const DiscriminatorTable& table, std::size_t entry) {
  const auto end = table.mapping.begin() + static_cast<std::ptrdiff_t>(table.explicit_names);
  return entry >= table.explicit_names &&
         std::any_of(table.mapping.begin(), end, [&](const auto& known) {
           return known.second == table.mapping[entry].second;
         });
}

// Constants are more precise than names: messages leave out the names of alternatives with
// constants.
void add_meanings(const Program& program, const std::vector<SchemaId>& alternatives,
                  DiscriminatorTable& table) {
  Meanings meanings(program, table.property);
  meanings.find(alternatives);
  Values listed = meanings.constants;
  Values known = meanings.constants;
  known.add(meanings.names);
  known.add(meanings.inner);
  for (std::size_t i = 0; i < table.mapping.size(); ++i) {
    const auto& [name, target] = table.mapping[i];
    known.add(Json(name));
    if (!is_renamed(table, i) && !meanings.listing.contains(follow_references(program, target))) {
      listed.add(Json(name));
    }
  }
  listed.add(meanings.inner);
  table.listed = listed.take();
  table.known = ConstantSet(known.take());
}

}  // namespace

void compile_discriminator(Draft& draft, const Node& value) {
  const Node property = value.find("propertyName");
  if (!property || !property.is_string()) {
    draft.compiler.report(value, "must be an object with a propertyName");
    return;
  }
  DiscriminatorTable table{.property = std::string(property.string()), .node = value};
  if (const Node mapping = value.find("mapping")) {
    if (!mapping.is_object()) {
      draft.compiler.report(mapping, wrong_kind("an object", mapping));
    }
    for (const Member& member : mapping.members()) {
      table.mapping.emplace_back(member.key, resolve_mapped(draft, member.value));
    }
  }
  table.explicit_names = table.mapping.size();
  if (const Node otherwise = value.find("defaultMapping"); otherwise && draft.rules.open_api_32) {
    table.otherwise = resolve_mapped(draft, otherwise);
  }
  draft.schema.discriminator = append(draft.program().discriminators, std::move(table));
  if (draft.sibling("oneOf") || draft.sibling("anyOf")) {
    draft.add(Keyword::kDiscriminator, kObjectType, draft.schema.discriminator, value);
  }
}

void add_meanings(Program& program, std::size_t first) {
  for (std::size_t id = first; id < program.schemas.size(); ++id) {
    const Schema& schema = program.schemas[id];
    std::vector<SchemaId> alternatives;
    for (const Rule& rule : schema.rules) {
      if (rule.keyword == Keyword::kOneOf || rule.keyword == Keyword::kAnyOf) {
        const auto& list = program.lists[rule.operand];
        alternatives.insert(alternatives.end(), list.begin(), list.end());
      }
    }
    if (schema.discriminator != kNoId && !alternatives.empty()) {
      DiscriminatorTable& table = program.discriminators[schema.discriminator];
      add_implicit_names(program, alternatives, table);
      add_meanings(program, alternatives, table);
    }
  }
}

}  // namespace spec::schema::compiler
