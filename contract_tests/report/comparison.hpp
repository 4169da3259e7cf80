#pragma once

// Two runs compared: what is new, fixed, still failing, worse, and why. One JSON value, whose shape
// comparison.schema.json says; text, markdown and HTML are functions of it (comparison_text.hpp).
// Pure functions.

#include "contract_tests/report/saved_run.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace contract_tests::report {

// Throws spec::LoadError if the runs have no operation in common. Where they cannot be compared
// (one did not start, or ran no case; another kind of target; a shard beside something else), the
// value says why and has no changes.
nlohmann::json compare(const SavedRun& before, const SavedRun& after);

enum class FailOn : std::uint8_t { kNew, kWorse, kLessCoverage };

// 0; 1 where one of these is true of the comparison: a new error; a case that passed and does not
// any more, or a finding of a higher severity; less coverage. 3 where the runs cannot be compared.
int exit_of_comparison(const nlohmann::json& comparison, const std::set<FailOn>& fail_on);

}  // namespace contract_tests::report
