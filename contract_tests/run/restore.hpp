#pragma once

// A case that may change a record of which no rules speak: the record is read by GET of the same
// path before, and written back by PUT or PATCH after, as plan/restoration.hpp found in the
// contract. Nothing is sent that could not be put back so.

#include "contract_tests/run/case_run.hpp"

namespace contract_tests::run {

// Carries out the trial's case around the record that it is about. The case is not run,
// and says why, where the record cannot be read, where the service does not take back what it shows
// (tried once a record, before anything is changed), or where a body says what could not be undone:
// another identifier, or members that the record does not have. What is not as it was in the end is
// left to the run's list.
void run_restoring(CaseRun& case_run);

}  // namespace contract_tests::run
