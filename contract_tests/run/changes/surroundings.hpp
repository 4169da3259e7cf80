#pragma once

// What must be as it was when a run ends, beside the records that it changes: records that the
// subjects file names, and what the list of a collection shows and counts.

#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/changes/own_list.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::run::changes {

// The address of the collection of a case about a record of the run's own.
plan::RequestPlan parents_of(const Case& item);

// Before a change by the case: reads what is near it, once in a run.
void note_surroundings(CaseRun& case_run);

// After the last change: reads all of it again. What is different, and what cannot be known, goes
// to the lists at the end of the run.
void look_again(CaseRun& case_run);

// Other records that are gone after a deletion, as a response shows.
struct Loss {
  std::string what;  // "/items/7 too"
  const Sent* shown = nullptr;
  std::optional<checks::Severity> severity = {};  // where it is not the usual one
};

// Of those that the subjects file names, of the list `before`, of which three that it lacks now are
// tried, and, as a warning, of its total. Those in `removed` were removed by the run. What `before`
// calls a total must be one more than before the record was created, else it is not taken for one.
std::vector<Loss> losses_by_deletion(CaseRun& case_run, const plan::OwnRecord& own,
                                     const plan::RequestPlan& parents,
                                     const std::optional<OwnList>& before,
                                     const std::set<std::string>& removed);

// That the list counts fewer records than before the run.
std::optional<Loss> loss_of_run(CaseRun& case_run, const plan::OwnRecord& own,
                                const plan::RequestPlan& parents);

}  // namespace contract_tests::run::changes
