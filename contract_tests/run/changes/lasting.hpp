#pragma once

// Cases whose changes are not undone: sent only where the user consents to that, and noted for the
// list at the end of the run.

#include "contract_tests/run/case_run.hpp"

namespace contract_tests::run::changes {

// Runs the case, and notes its requests that may have changed something.
void run_lasting(CaseRun& case_run);

// For a case whose changes could not be undone for the reason `why`: runs it where changes by its
// operation may last, unless it is about a record of the run's own; else skips it, or makes it
// inconclusive where the reason is `temporary`.
void give_up(CaseRun& case_run, const std::string& why, bool temporary);

}  // namespace contract_tests::run::changes
