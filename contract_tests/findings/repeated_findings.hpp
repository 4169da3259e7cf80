#pragma once

// A violation that several operations share (no WWW-Authenticate, no Allow) is one finding with its
// operations listed. Pure functions.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/outcome.hpp"

namespace contract_tests::findings {

// Keeps the first finding of a rule with `report_once` at one place of responses to several
// operations, lists the other operations in it, and removes their findings. A case that failed by
// removed findings only (`fail_on`: of at least this severity) becomes inconclusive, caused by the
// case of the first. Keys are indices into the plan. Outcomes that were merged before, in parts,
// may be merged together.
void merge_repeated_findings(const plan::RuleBook& book, run::Outcomes& outcomes,
                             checks::Severity fail_on = checks::Severity::kError);

}  // namespace contract_tests::findings
