#pragma once

// writeOnly: what belongs to requests and is left out of answers. Pure functions of const data; a
// contract without the keyword pays nothing.
// Source: OpenAPI 3.1.0 §4.8.24 (JSON Schema 2020-12 Validation §9.4), 3.0.3 Schema Object.

#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace spec::contract {

struct WriteOnlyMember {
  std::string pointer;     // in the value
  document::Node keyword;  // the "writeOnly" that says so
};

// The members of `value` that its schema keeps to requests: through references, allOf, items, and
// those branches of anyOf and oneOf that take the value. Those inside of such a member are not
// listed.
std::vector<WriteOnlyMember> write_only_members(const Contract::State& state,
                                                schema::SchemaId schema,
                                                const nlohmann::json& value);

// Whether any schema of the contract says writeOnly.
bool has_write_only(const Contract& contract);

// `value` as an answer of `schema`, without those members.
nlohmann::json without_write_only(const Contract& contract, std::optional<schema::SchemaId> schema,
                                  nlohmann::json value);

}  // namespace spec::contract
