#pragma once

// Compiled schemas: flat tables joined by index. Written by compiler/, read by validator/, const in
// between; known to this folder only.

#include "spec/document/document.hpp"
#include "spec/json/number.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/constants.hpp"
#include "spec/schema/formats/format.hpp"
#include "spec/schema/keyword.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/schema/schema_set.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
  TypeSet types = kEveryType;  // allowed by `type` and `nullable`; 0 for the schema `false`
  bool tracks = false;         // has unevaluatedItems or unevaluatedProperties
  bool read_only = false;
  bool write_only = false;
  // A part that is not understood may be readOnly or writeOnly, of it or of a property.
  bool is_side_unclear = false;
  bool is_reference = false;      // all beside its $ref is ignored, as in OpenAPI 3.0
  Vocabularies vocabularies = 0;  // of its dialect
  ResourceId resource = 0;
  SchemaId alias = kNoId;        // the target, when the schema is nothing but a $ref
  std::uint32_t object = kNoId;  // into Program::objects
  std::uint32_t discriminator = kNoId;
  std::vector<Rule> rules;  // in the order of the text
};

// The part of a schema that a yes/no run reads for every value, apart from the rest, so that four
// of them share a line of the cache. An alias has a copy of its target's.
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

// A name that an object is searched for: a property, a required one, or both.
struct NamedMember {
  std::string name;
  std::uint64_t prefix = 0;  // prefix_of(the name)
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
  SchemaId initial = kNoId;  // the target by static resolution
  std::string anchor;
  std::unordered_map<ResourceId, SchemaId> targets;
};

// OpenAPI's discriminator: maps values of the property to schemas. `known` and `listed` are those
// of the alternatives beside it.
struct DiscriminatorTable {
  std::string property;
  document::Node node;
  std::vector<std::pair<std::string, SchemaId>> mapping;  // explicit, then implicit names
  std::size_t explicit_names = 0;
  SchemaId otherwise = kNoId;  // of values that no name has (`defaultMapping`)
  ConstantSet known{std::vector<nlohmann::json>{}};  // texts that select an alternative
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

// The first eight bytes of a name as one number, so that most names are compared without a look
// at them. Used by this folder and its sub-folders.

// The bytes at `bytes` as a number of the same order.
template <typename Word>
std::uint64_t big_endian_word(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) {
    return word;
  }
  return sizeof(word) == 8 ? __builtin_bswap64(word)
                           : __builtin_bswap32(static_cast<std::uint32_t>(word));
}

// Names are ordered as their prefixes are; for equal prefixes the order is unknown. A shorter name
// is filled up with zeros.
inline std::uint64_t prefix_of(std::string_view name) {
  const char* bytes = name.data();
  const std::size_t size = name.size();
  if (size >= 8) {
    return big_endian_word<std::uint64_t>(bytes);
  }
  if (size >= 4) {  // two words that overlap
    return big_endian_word<std::uint32_t>(bytes) << 32U |
           big_endian_word<std::uint32_t>(bytes + size - 4) << (64 - 8 * size);
  }
  const auto at = [bytes](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(bytes[i])} << (56 - 8 * i);
  };
  return size == 0 ? 0 : at(0) | at(size / 2) | at(size - 1);
}

// The order of two names whose prefixes are equal: below 0, 0, above 0.
inline int compare_long_names(std::string_view left, std::string_view right) {
  if (left.size() <= 8 && right.size() <= 8) {
    return static_cast<int>(left.size()) - static_cast<int>(right.size());
  }
  const std::size_t common = std::min(left.size(), right.size());
  if (common < 8) {
    return left.compare(right);
  }
  for (std::size_t at = 8; at < common; at += 8) {
    const std::size_t from = at + 8 <= common ? at : common - 8;  // overlaps bytes that are equal
    const std::uint64_t a = big_endian_word<std::uint64_t>(left.data() + from);
    const std::uint64_t b = big_endian_word<std::uint64_t>(right.data() + from);
    if (a != b) {
      return a < b ? -1 : 1;
    }
  }
  return left.size() == right.size() ? 0 : left.size() < right.size() ? -1 : 1;
}

// The type of an instance as one bit of a TypeSet. Used by this folder and its sub-folders.

// The type, decided without looking at the digits: both bits for a number that may have a fraction.
inline TypeSet quick_type_of(const nlohmann::json& value) {
  // In nlohmann's order; exact numbers are binary.
  constexpr std::array<TypeSet, 10> kTypes{kNullType,    kObjectType,  kArrayType,   kStringType,
                                           kBooleanType, kIntegerType, kIntegerType, kNumberType,
                                           kNumberType,  kNumberType};
  return kTypes[static_cast<std::size_t>(value.type())];
}

inline TypeSet type_of(const nlohmann::json& value) {
  const TypeSet type = quick_type_of(value);
  if (type != kNumberType) {
    return type;
  }
  return json::is_integer(value) ? kIntegerType : kFractionType;
}

}  // namespace spec::schema
