#pragma once

// The part of a response that its schema names. A service may add members that
// change at any time (times, versions, links), so responses are compared by the documented part.
// What a schema leaves open (a map, a free object, alternatives) counts as documented.

#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace contract_tests::checks {

// `value` without the members, at any depth, that `schema` does not name; nothing where there are
// none, so that the value is its own documented part.
std::optional<nlohmann::json> documented_part(const spec::schema::Summaries& summaries,
                                              spec::schema::SchemaId schema,
                                              const nlohmann::json& value);

// Appends every string in `value`, at any depth.
void gather_texts(const nlohmann::json& value, std::vector<std::string>& texts);

// Every string inside the members that `schema` does not name.
std::vector<std::string> undocumented_texts(const spec::schema::Summaries& summaries,
                                            spec::schema::SchemaId schema,
                                            const nlohmann::json& value);

// Removes the members, at any depth, that `schemas` name as secrets ("access_token", `format:
// password`) and whose whole text is one of `texts`.
void drop_secrets(const spec::schema::Summaries& summaries, const spec::schema::Schemas& schemas,
                  nlohmann::json& value, const std::vector<std::string>& texts);

}  // namespace contract_tests::checks
