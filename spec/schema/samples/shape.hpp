#pragma once

// Everything that several schemas ask of one instance at once, as far as it can be said without
// choosing: the schemas themselves, what they refer to, and their allOf, merged into one list of
// demands. Choices (anyOf, oneOf, if) stay open; taking one merges again with the branch added.
// Used by this folder only.

#include "spec/schema/program.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace spec::schema::samples {

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// What a shape is made from: schemas that must all hold, and the choices that were already taken.
struct ShapeKey {
  std::vector<SchemaId> schemas;
  std::vector<const void*> taken;  // the tables behind the choices

  friend bool operator==(const ShapeKey&, const ShapeKey&) = default;
};

// anyOf or oneOf: one of these must be added.
struct Choice {
  const std::vector<SchemaId>* branches = nullptr;
};

struct Demand {
  Keyword keyword = Keyword::kMinimum;
  const Bound* bound = nullptr;
};

struct Shape {
  std::vector<SchemaId> merged;  // every schema that speaks here, each once, outermost first
  TypeSet types = kEveryType;
  std::vector<const ConstantSet*> constants;
  std::vector<Demand> numbers;  // bounds and multipleOf
  std::vector<const formats::Format*> formats;
  std::vector<std::uint32_t> patterns;
  std::uint64_t least_length = 0;
  std::uint64_t most_length = kNoLimit;
  std::uint64_t least_items = 0;
  std::uint64_t most_items = kNoLimit;
  std::uint64_t least_members = 0;
  std::uint64_t most_members = kNoLimit;
  bool unique = false;
  std::vector<const std::vector<SchemaId>*> prefixes;
  std::vector<const ItemsTable*> items;
  std::vector<const ContainsTable*> contains;
  std::vector<const ObjectTable*> objects;
  std::vector<SchemaId> member_names;  // propertyNames
  std::vector<SchemaId> unevaluated_items;
  std::vector<SchemaId> unevaluated_members;
  std::vector<const std::vector<DependentNames>*> dependent_names;
  std::vector<const std::vector<DependentSchema>*> dependent_schemas;
  std::vector<Choice> choices;
  std::vector<const ConditionTable*> conditions;
  std::vector<SchemaId> rivals;  // branches of a oneOf whose other branch was taken: all must fail
  std::vector<std::uint32_t> discriminators;    // of the merged schemas, in their order
  std::vector<std::string_view> loose_formats;  // that no keyword asserts
  std::string_view encoding;                    // contentEncoding: base64 or base64url
  std::string_view media_type;                  // contentMediaType
};

Shape merge(const Program& program, const ShapeKey& key);

// The least depth of nesting that an instance of each schema needs; kNoLimit where none is finite.
std::vector<std::uint64_t> least_depths(const Program& program);

}  // namespace spec::schema::samples
