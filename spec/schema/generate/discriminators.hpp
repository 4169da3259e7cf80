#pragma once

// The names that OpenAPI's discriminators give to schemas, so that a generated object says which
// schema it is of. Beside oneOf or anyOf those of the alternatives; in a base schema that others
// are composed of by allOf, those of its subtypes. Made once for all schemas. Used by this folder
// only.

#include "spec/schema/program.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace spec::schema::generate {

struct Discriminator {
  std::string property;
  SchemaId owner = kNoId;         // the schema with the discriminator
  bool has_alternatives = false;  // is beside oneOf or anyOf
  std::vector<Property> names;    // those of the mapping first; references are followed
  std::string own_name;           // of the owner as a component; "" if it is none
};

// One for each discriminator of the program, in their order.
std::vector<Discriminator> read_discriminators(const Program& program);

// The name of a value that satisfies all of `merged` (outermost first); "" if it has none.
std::string_view name_among(const Discriminator& discriminator,
                            const std::vector<SchemaId>& merged);

// Whether `value` names a schema that is none of `merged`, which have another name.
bool names_another(const Discriminator& discriminator, const std::vector<SchemaId>& merged,
                   const nlohmann::json& value);

}  // namespace spec::schema::generate
