#pragma once

// The findings of two runs side by side, by fingerprint: new, fixed, still failing, not seen (the
// cases that found them did not run to a verdict again, so that they may still be there). Pure
// function.

#include "contract_tests/runs/because.hpp"

#include <nlohmann/json.hpp>

namespace contract_tests::runs {

struct FindingChanges {
  nlohmann::json fresh = nlohmann::json::array();
  nlohmann::json fixed = nlohmann::json::array();
  nlohmann::json still_failing = nlohmann::json::array();
  nlohmann::json not_seen = nlohmann::json::array();
};

// Errors first in each, then in the order of the plan.
FindingChanges changes_of_findings(const IndexedRun& before, const IndexedRun& after,
                                   const Reasons& reasons);

}  // namespace contract_tests::runs
