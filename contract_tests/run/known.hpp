#pragma once

// What the baseline of a run says of the findings of a case. A pure function.

#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/settings.hpp"

namespace contract_tests::run {

// Sets the state of every error of `outcome`; a case that failed by known ones alone is kKnown.
// Leaks are new whatever the baseline says. Without a baseline, nothing happens.
void note_states(const Settings& settings, Outcome& outcome);

}  // namespace contract_tests::run
