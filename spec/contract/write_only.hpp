#pragma once

// Responses without what belongs to requests (writeOnly). Pure functions of const data; a contract
// without the keyword pays nothing.
// Source: OpenAPI 3.1.0 §4.8.24 (JSON Schema 2020-12 Validation §9.4), 3.0.3 Schema Object.

#include "spec/contract/contract.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace spec::contract {

// `value` as a response of `schema`, without the members that are writeOnly
// (schema::write_only_members).
nlohmann::json without_write_only(const schema::SchemaSet& schemas, schema::SchemaId schema,
                                  nlohmann::json value);
nlohmann::json without_write_only(const Contract& contract, std::optional<schema::SchemaId> schema,
                                  nlohmann::json value);

}  // namespace spec::contract
