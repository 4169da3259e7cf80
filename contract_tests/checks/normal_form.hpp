#pragma once

// One form for all spellings of a response that are equal for the contract: decimal texts by value
// ("12.50", "12.5"), instants by instant, sets by members, UUIDs in either case, URIs whatever is
// percent-encoded in them. Two responses are compared in this form. Pure functions of const data.

#include "contract_tests/checks/response_rules.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

// `value` in normal form. `schema` says what is a date-time, a decimal, a UUID, a URI, and a list
// without repetitions, which is a set; `rules` (rules for responses of the operation) name
// decimals that the schema has as plain texts, and lists of one entry for each, which are sets too.
// The order of every other list is kept.
nlohmann::json normal_form(const spec::schema::Summaries& summaries, spec::schema::SchemaId schema,
                           const std::vector<ResponseRule>& rules, nlohmann::json value);

// `value` with the elements of every list, at any depth, in one order: for two responses without
// a promised order.
nlohmann::json without_order(nlohmann::json value);

// `uri` with scheme and host in lower case, escapes in upper case, and none where there need not be
// one. Source: RFC 3986 §6.2.2.1, §6.2.2.2.
std::string normal_uri(std::string_view uri);

}  // namespace contract_tests::checks
