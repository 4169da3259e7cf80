#pragma once

// A case that may change a record without rules: the record is read by GET of the same path before,
// and written back by PUT or PATCH after, as plan/restoration.hpp found in the contract. Changes
// that could not be undone this way are not sent.

#include "contract_tests/run/case_run.hpp"

namespace contract_tests::run::changes {

// Runs the case and restores the record that it is about. The case is skipped, with the reason,
// where the record cannot be read, where the service rejects its own record (tried once for each
// record, before any change), or where a body could not be undone: another identifier, or members
// that the record lacks. Differences that remain go to the list at the end of the run.
void run_restoring(CaseRun& case_run);

}  // namespace contract_tests::run::changes
