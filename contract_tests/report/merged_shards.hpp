#pragma once

// One run of the shards of a run, as if it had run in one piece: no case lost or counted twice, the
// same verdict, the same causes, what every operation does reported once. What the run as a whole
// says is computed by report::to_json, as for any run. Pure function.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/report/saved_run.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace contract_tests::report {

// The run value. Where shards are missing, or could not start, the run has a headline that names
// them, so it is not passed. Throws spec::LoadError with one problem where `shards` are not shards
// of one run: of another plan, contract, target, baseline or settings, no shard at all, the same
// one twice.
nlohmann::json merge(const std::vector<SavedRun>& shards, const plan::RuleBook& book);

}  // namespace contract_tests::report
