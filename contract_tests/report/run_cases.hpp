#pragma once

// The cases of a run value: each of them, with its requests and findings in full as far as a limit
// allows; and why cases say nothing.

#include "contract_tests/findings/causes.hpp"
#include "contract_tests/report/run_value.hpp"
#include "contract_tests/run/outcome.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <set>
#include <string>

namespace contract_tests::report {

inline constexpr std::size_t kMaxCauses = 1'000;  // of a run value

// Ids of the cases with this verdict.
std::set<std::string> cases_of(const Run& run, run::Verdict verdict);

// Why cases were skipped or are inconclusive: the most frequent reasons first.
nlohmann::json reasons_json(const Run& run);

// Adds "cases", "exchanges" and "cases_left_out" to `value`.
void add_cases(const Run& run, const findings::Causes& causes, nlohmann::json& value);

// Adds the cases, outcomes and exchanges of a run value to `plan` and `run`.
void read_cases(const nlohmann::json& value, run::Plan& plan, Run& run);

// True if a case of a run value has its details: requests, and findings in full.
bool has_details(const nlohmann::json& item);

}  // namespace contract_tests::report
