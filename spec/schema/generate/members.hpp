#pragma once

// The members that an object must or may have, and the schemas that each must satisfy. Used by this
// folder only.

#include "spec/schema/generate/merge.hpp"
#include "spec/schema/schema_set.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace spec::schema::generate {

struct Member {
  std::string name;
  std::vector<SchemaId> schemas;  // all that its value must satisfy
  std::uint64_t depth = 0;        // of nesting, that it needs at least
  bool is_required = false;
  bool may_be_named = true;  // by propertyNames
  bool brings_none = true;   // requires no other member and no other schema
  bool read_only = false;
  bool write_only = false;
};

// What properties, patternProperties, additionalProperties and unevaluatedProperties apply to the
// member called `name`.
std::vector<SchemaId> schemas_of_member(const Program& program, const Constraints& constraints,
                                        const std::string& name);

// What an object under the constraints asks of a member called `name`. `depths` are min_depths().
Member make_member(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
                   const Constraints& constraints, const std::string& name);

// The members that are required, then those that are declared, each once.
std::vector<Member> members_of(const SchemaSet& schemas, const std::vector<std::uint64_t>& depths,
                               const Constraints& constraints);

}  // namespace spec::schema::generate
