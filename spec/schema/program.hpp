#pragma once

// Compiled schemas: flat tables joined by index. Written by compiler/, read by validator/, const in
// between; known to this folder only.

#include "spec/document/document.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/constants.hpp"
#include "spec/schema/formats/format.hpp"
#include "spec/schema/keyword.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/schema/schema_set.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spec::schema {

using ResourceId = std::uint32_t;

inline constexpr std::uint32_t kNoId = std::numeric_limits<std::uint32_t>::max();

// One keyword of a schema. `operand` is an index into the table of its kind, a SchemaId, or a
// count.
struct Rule {
  Keyword keyword = Keyword::kFalse;
  TypeSet applies = kEveryType;  // instances of other types satisfy the rule
  std::uint32_t operand = 0;
  document::Node node;  // the keyword's value
};

// The same for a yes/no run, which needs no place.
struct Step {
  Keyword keyword = Keyword::kFalse;
  TypeSet applies = kEveryType;
  std::uint32_t operand = 0;
};

struct Schema {
  document::Node node;
  TypeSet types = kEveryType;  // what `type` and `nullable` allow; 0 for the schema `false`
  bool tracks = false;         // has unevaluatedItems or unevaluatedProperties
  bool read_only = false;
  bool write_only = false;
  // What is not understood may say readOnly or writeOnly, of it or of a property.
  bool is_side_unclear = false;
  bool is_reference = false;      // all beside its $ref is ignored, as in OpenAPI 3.0
  Vocabularies vocabularies = 0;  // of its dialect
  ResourceId resource = 0;
  SchemaId alias = kNoId;        // the target, when the schema is nothing but a $ref
  std::uint32_t object = kNoId;  // into Program::objects
  std::uint32_t discriminator = kNoId;
  std::vector<Rule> rules;  // in the order of the text
};

// What a yes/no run reads of a schema for every value, apart from the rest of it, so that four of
// them share a line of the cache. That of an alias is its target's.
struct Entry {
  SchemaId schema = kNoId;  // itself, or the target of an alias
  std::uint32_t first_step = 0;
  std::uint32_t step_count = 0;
  TypeSet types = kEveryType;  // as Schema's
  bool tracks = false;         // as Schema's
  bool composite = false;      // applies other schemas in place: worth remembering verdicts of
  bool plain = false;          // its steps look at the value itself and apply no schema
};

static_assert(sizeof(Entry) == 16);

struct Property {
  std::string name;
  SchemaId schema = kNoId;
};

// A name that an object is asked about: a property, a required one, or both.
struct NamedMember {
  std::string name;
  std::uint64_t prefix = 0;  // of the name (prefix.hpp)
  SchemaId schema = kNoId;
  bool required = false;
};

struct PatternProperty {
  std::uint32_t pattern = 0;
  SchemaId schema = kNoId;
};

struct ObjectTable {
  std::vector<Property> properties;  // in the order of the text
  std::vector<PatternProperty> patterns;
  SchemaId additional = kNoId;
  std::vector<std::string> required;
  std::vector<NamedMember> members;  // sorted by name
  std::uint32_t required_count = 0;
};

struct Bound {
  nlohmann::json value;
  std::optional<std::int64_t> whole;  // the value, when it is such a number
};

struct ItemsTable {
  SchemaId schema = kNoId;
  std::uint32_t first = 0;  // the number of prefixItems
};

struct ContainsTable {
  SchemaId schema = kNoId;
  std::uint64_t min = 1;
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  document::Node min_node;  // minContains, if it is there
  document::Node max_node;  // maxContains, if it is there
};

struct ConditionTable {
  SchemaId condition = kNoId;
  SchemaId consequence = kNoId;
  SchemaId alternative = kNoId;
};

struct DependentNames {
  std::string name;
  std::vector<std::string> required;
};

struct DynamicTable {
  SchemaId initial = kNoId;  // what the reference means statically
  std::string anchor;
  std::unordered_map<ResourceId, SchemaId> targets;
};

// OpenAPI's discriminator: which schema a value of the property means. `known` and `listed` are
// those of the branches beside it.
struct DiscriminatorTable {
  std::string property;
  document::Node node;
  std::vector<std::pair<std::string, SchemaId>> mapping;  // explicit, then implicit names
  std::size_t explicit_names = 0;
  ConstantSet known{std::vector<nlohmann::json>{}};  // texts that mean a branch
  std::vector<nlohmann::json> listed;                // the values that messages list
};

struct Program {
  std::vector<Schema> schemas;
  std::vector<Entry> entries;  // one for each schema
  std::vector<Step> steps;
  std::vector<ObjectTable> objects;
  std::vector<Bound> bounds;
  std::vector<ConstantSet> constants;
  std::vector<patterns::Pattern> patterns;
  std::vector<std::string> pattern_texts;
  std::vector<const formats::Format*> formats;
  std::vector<std::vector<SchemaId>> lists;
  std::vector<ItemsTable> items;
  std::vector<ContainsTable> contains;
  std::vector<ConditionTable> conditions;
  std::vector<std::vector<DependentNames>> dependent_names;
  std::vector<std::vector<Property>> dependent_schemas;
  std::vector<DynamicTable> dynamics;
  std::vector<DiscriminatorTable> discriminators;
  bool has_write_only = false;          // some schema is writeOnly
  std::vector<Problem> hints;           // as they were met, of schemas that do not compile too
  std::vector<Problem> not_understood;  // that are tolerated
};

}  // namespace spec::schema
