#pragma once

// Habits of a service: where it does the same for several operations (no WWW-Authenticate, no
// Allow), that is one finding with its operations listed. Pure functions.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/outcome.hpp"

namespace contract_tests::findings {

// Leaves of the findings of each rule that the book calls a habit, at the same place of responses
// to more than one operation, the first alone, with the other operations. A case that failed by
// such findings only (`fail_on`: of at least this severity) is inconclusive then, and leans on the
// case of the first. Keys are indices into the plan. Outcomes that were merged before, in parts,
// may be merged together.
void merge_habits(const plan::RuleBook& book, run::Outcomes& outcomes,
                  checks::Severity fail_on = checks::Severity::kError);

}  // namespace contract_tests::findings
