#pragma once

// The constraints of several schemas on one instance: the schemas themselves, those that they refer
// to, and their allOf, merged into one list. anyOf, oneOf and if stay open until an alternative is
// chosen; then they are merged again with it. Used by this folder only.

#include "spec/schema/program.hpp"
#include "spec/schema/schema_set.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::generate {

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// Schemas that must all be satisfied, and the tables behind the choices that were made.
struct Selection {
  std::vector<SchemaId> schemas;
  std::vector<const void*> chosen;
};

// minimum, maximum and the like, or multipleOf.
struct NumberConstraint {
  Keyword keyword = Keyword::kMinimum;
  const Bound* bound = nullptr;
};

struct Constraints {
  std::vector<SchemaId> merged;  // every schema that applies, each once, outermost first
  TypeSet types = kEveryType;
  std::vector<const ConstantSet*> constants;
  std::vector<NumberConstraint> numbers;
  std::vector<const formats::Format*> formats;      // that are asserted
  std::vector<std::string_view> annotated_formats;  // all, asserted or not
  bool is_base64 = false;                           // contentEncoding
  std::string_view hint;                            // x-faker
  std::string_view description;                     // the outermost
  std::vector<std::uint32_t> patterns;
  std::uint64_t min_length = 0;
  std::uint64_t max_length = kNoLimit;
  std::uint64_t min_items = 0;
  std::uint64_t max_items = kNoLimit;
  std::uint64_t min_members = 0;
  std::uint64_t max_members = kNoLimit;
  bool unique = false;
  std::uint64_t prefix_count = 0;  // of the longest prefixItems
  bool has_elements = false;       // prefixItems or items
  std::vector<const ContainsTable*> contains;
  std::vector<const ObjectTable*> objects;
  std::vector<SchemaId> property_names;
  std::vector<SchemaId> unevaluated_items;
  std::vector<SchemaId> unevaluated_members;
  std::vector<const std::vector<DependentNames>*> dependent_names;
  std::vector<const std::vector<Property>*> dependent_schemas;
  std::vector<const std::vector<SchemaId>*> choices;  // open anyOf and oneOf
  std::vector<const ConditionTable*> conditions;      // open ones
  std::vector<SchemaId> others;  // alternatives of a oneOf that were not chosen: none may be valid
  std::vector<std::uint32_t> discriminators;  // of the merged schemas, in their order
};

Constraints merge(const Program& program, const Selection& selection);

// Caches the merged constraints of schemas without choices. Safe from any thread.
class ConstraintsCache {
 public:
  std::shared_ptr<const Constraints> of(const Program& program,
                                        const std::vector<SchemaId>& schemas);

 private:
  std::mutex mutex_;
  std::map<std::vector<SchemaId>, std::shared_ptr<const Constraints>> cache_;
};

// The names that are required, and those that these require (dependentRequired).
std::vector<std::string> required_names(const Constraints& constraints);

// The schemas that prefixItems and items apply to the element at `index`.
std::vector<SchemaId> schemas_of_element(const Program& program, const Constraints& constraints,
                                         std::uint64_t index);

// The minimum depth of nesting of each schema's instances; kNoLimit if none is finite.
std::vector<std::uint64_t> min_depths(const Program& program);

// A member that an object must or may have, and the schemas that its value must satisfy.
struct Member {
  std::string name;
  std::vector<SchemaId> schemas;  // all that its value must satisfy
  std::uint64_t depth = 0;        // the minimum of nesting
  bool is_required = false;
  bool may_be_named = true;  // by propertyNames
  bool brings_none = true;   // requires no other member and no other schema
  bool read_only = false;
  bool write_only = false;
};

// The schemas that properties, patternProperties, additionalProperties and unevaluatedProperties
// apply to the member called `name`.
std::vector<SchemaId> schemas_of_member(const Program& program, const Constraints& constraints,
                                        const std::string& name);

// The constraints that an object's schemas set for a member called `name`. `depths` are
// min_depths().
Member make_member(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
                   const Constraints& constraints, const std::string& name);

// The members that are required, then those that are declared, each once.
std::vector<Member> members_of(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
                               const Constraints& constraints);

}  // namespace spec::schema::generate
