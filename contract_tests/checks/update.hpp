#pragma once

// A record before and after a change, compared member by member. Pure functions.

#include "contract_tests/checks/finding.hpp"

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>

namespace contract_tests::checks {

// Members of the record that differ, but for those at `expected` and `volatile_fields` (JSON
// pointers): each a violation of `rule`.
RuleViolations check_unchanged(const nlohmann::json& before, const nlohmann::json& after,
                               const std::set<std::string>& excepted, const std::string& rule);

// The value at `pointer` must be `wanted`. Text that the service trimmed or normalised (blanks,
// letter case) is a note, nothing more.
RuleViolations check_value(const nlohmann::json& record, const std::string& pointer,
                           const nlohmann::json& wanted, const std::string& rule);

// The same for a text with characters that some services drop: dropped characters are a note, any
// other change is a violation.
RuleViolations check_text(const nlohmann::json& record, const std::string& pointer,
                          const nlohmann::json& wanted, const std::string& rule);

}  // namespace contract_tests::checks
