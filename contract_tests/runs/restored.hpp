#pragma once

// The cases of a run that was read, as the values that they were written from, so that what is said
// of a run is computed in one place (report/run_value.hpp).

#include "contract_tests/report/run_value.hpp"
#include "contract_tests/run/case.hpp"

#include <nlohmann/json_fwd.hpp>

namespace contract_tests::runs {

// Adds the cases, outcomes and exchanges of `value`, a run value as its schema says, to `plan`
// (which has room for all of its plan's cases) and `run`. A case that is not listed in full has no
// findings: their marks are in `run.unlisted`.
void restore_cases(const nlohmann::json& value, run::Plan& plan, report::Run& run);

// Its coverage. Of a shard with the values that were seen, else only with their number.
spec::contract::CoverageReport restore_coverage(const nlohmann::json& value);

}  // namespace contract_tests::runs
