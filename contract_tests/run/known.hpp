#pragma once

// Which findings of a case make it fail: by their severity, and by the baseline of the run. A pure
// function.

#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/settings.hpp"

namespace contract_tests::run {

// Sets the verdict of `outcome` by Settings::fail_on, and where the run has a baseline the state of
// each finding of at least that severity; a case that failed by known ones alone is kKnown. Leaks
// are new whatever the baseline says. A flaky case stays inconclusive.
void note_states(const Settings& settings, Outcome& outcome);

}  // namespace contract_tests::run
