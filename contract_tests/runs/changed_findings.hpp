#pragma once

// The findings of two runs side by side, by fingerprint: new, fixed, still failing, not seen (the
// cases that found them did not run to a verdict again, so that they may still be there). Pure
// function.

#include "contract_tests/runs/because.hpp"

#include <nlohmann/json.hpp>

namespace contract_tests::runs {

// Adds to the arrays "new", "fixed", "still_failing" and "not_seen" of `changes`: errors first in
// each, then in the order of the plan.
void add_changes_of_findings(const IndexedRun& before, const IndexedRun& after,
                             const Reasons& reasons, nlohmann::json& changes);

}  // namespace contract_tests::runs
