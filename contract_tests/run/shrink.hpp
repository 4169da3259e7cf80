#pragma once

// A generated request that fails, made smaller step by step while it still fails in the same way,
// so that a report shows what matters and nothing else. Pure functions; the runner sends.

#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"
#include "spec/contract/contract.hpp"

#include <vector>

namespace contract_tests::run {

// Of a generated case: cases whose request is one step smaller (a parameter or a member less, a
// shorter text, a number nearer to 0) and deserves the same by the validator.
std::vector<Case> smaller(const spec::contract::Contract& contract, const Case& item);

// True when both are broken and the first finding of `before` is met again, by its rule.
bool fails_alike(const Outcome& before, const Outcome& after);

}  // namespace contract_tests::run
