#pragma once

// The cases of a run value: with findings and exchanges as far as its limits allow, in a line each,
// and why cases say nothing.

#include "contract_tests/report/causes.hpp"
#include "contract_tests/report/ran.hpp"
#include "contract_tests/report/run_value.hpp"
#include "contract_tests/run/outcome.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::report {

inline constexpr std::size_t kMaxCauses = 1'000;  // of a run value

// Ids of the cases with this verdict.
std::set<std::string> cases_of(const Run& run, run::Verdict verdict);

// The findings of the case at `index`, those too that are known by their marks alone.
std::vector<FindingMark> marks_of(const Run& run, std::size_t index, const run::Outcome& outcome);

// Why cases were skipped or are inconclusive: the most frequent reasons first.
nlohmann::json reasons_json(const Run& run);

// Every selected case in a line; `reasons` is reasons_json's.
nlohmann::json every_case_json(const Run& run, const nlohmann::json& reasons);

// Adds "cases", "exchanges" and "cases_left_out" to `value`.
void add_cases(const Run& run, const Causes& causes, nlohmann::json& value);

}  // namespace contract_tests::report
