#pragma once

// The names that OpenAPI's discriminators give to schemas: a sample says which of them it is.
// Beside oneOf or anyOf those of the branches; in a parent that others are composed of by allOf,
// those of its heirs. Made once for all schemas. Used by this folder only.

#include "spec/schema/program.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::samples {

struct TagName {
  std::string name;
  SchemaId schema = kNoId;  // that goes by it; references are followed
};

struct TagTable {
  std::string property;
  SchemaId owner = kNoId;      // the schema with the discriminator
  bool has_branches = false;   // stands beside oneOf or anyOf
  std::vector<TagName> names;  // those of the mapping first
  std::string own_name;        // of the owner as a component; "" if it is none
};

// A table for each discriminator of the program, in their order.
std::vector<TagTable> read_tags(const Program& program);

// The name that a value goes by that keeps all of `merged` (outermost first); "" if it has none.
std::string_view name_among(const TagTable& table, const std::vector<SchemaId>& merged);

// Whether `value` goes by a name of a schema that is none of `merged`, which have another.
bool is_of_another(const TagTable& table, const std::vector<SchemaId>& merged,
                   const nlohmann::json& value);

}  // namespace spec::schema::samples
