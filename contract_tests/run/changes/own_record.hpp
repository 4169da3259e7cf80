#pragma once

// Cases about records of the run's own, as plan/own_record.hpp found them in the contract: what a
// case creates is removed after it, and a case that changes or deletes a record gets one that was
// created for it. Before the first of them one record is created, found, removed and looked for
// again, so that at most one is left behind where a service cannot do that. A record is removed
// only where it is certainly new.

#include "contract_tests/run/case_run.hpp"

#include <cstddef>
#include <string>

namespace contract_tests::run::changes {

// Requests that remove a record: DELETE, and GET to see that it worked.
constexpr std::size_t kRemoval = 2;

// A text for the marker of a record: the same in no two requests.
std::string new_marker();

// Runs a case of the operation that creates, and removes what was created.
void run_removing(CaseRun& case_run);

// Runs the case with a record of its own in the path, and removes that record.
void run_on_own_record(CaseRun& case_run);

}  // namespace contract_tests::run::changes
