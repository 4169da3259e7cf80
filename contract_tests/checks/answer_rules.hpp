#pragma once

// What rules demand of a successful JSON answer beyond its schema: identity with the path, order of
// times, unique entries, arithmetic, decimals that never were doubles. Pure functions of data.

#include "contract_tests/checks/finding.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>

namespace contract_tests::checks {

// `rules` is the operation's `answer` block of the rules file; `path` holds the path parameters of
// the request, decoded.
Complaints check_answer_rules(const nlohmann::json& rules, const nlohmann::json& body,
                              const std::map<std::string, std::string>& path);

// True for the text of a decimal that shows the digits of a double: more than 16 of them, where the
// shortest decimal that reads back as the same double has at most 15.
bool is_double_artefact(std::string_view decimal);

}  // namespace contract_tests::checks
