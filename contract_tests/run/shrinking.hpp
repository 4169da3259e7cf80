#pragma once

// A generated request that fails, made smaller step by step while it still fails in the same way,
// so that a report shows what matters and nothing else. Pure functions; the runner sends.

#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"
#include "spec/contract/contract.hpp"

#include <vector>

namespace contract_tests::run {

// The cases whose request is one step smaller than that of a generated case (a parameter or a
// member less, a shorter text, a number nearer to 0) and has the same validation result.
std::vector<Case> smaller(const spec::contract::Contract& contract, const Case& item);

// True when both failed and `after` has a finding of the same rule as the first of `before`.
bool fails_the_same_way(const Outcome& before, const Outcome& after);

}  // namespace contract_tests::run
