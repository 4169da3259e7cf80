#pragma once

// Cases that change something. What can be undone is noted before it is done (PendingUndo,
// run/undo.hpp); after it, the record is written back or removed, and read. What is different then
// goes to the list at the end of the run, which also undoes what cases could not. What cannot be
// undone is sent only where the user consents to that, and listed.

#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/record_list.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::run {

// Runs the case, which may change a record without rules, and restores that: it is read by GET of
// the same path before, and written back by PUT or PATCH after, as plan/reversible_changes.hpp
// found in the contract. The case is skipped, with the reason, where the record cannot be read,
// where the service rejects its own record (tried once for each record, before any change), or
// where a body could not be undone: another identifier, or members that the record lacks.
void run_restoring(CaseRun& case_run);

// Cases about records of the run's own, as plan/own_record.hpp found them in the contract.
// Before the first of them one record is created, found, removed and looked for again, so that at
// most one is left behind where a service cannot do that. A record is removed only where it is
// certainly new.

// Runs a case of the operation that creates, and removes what was created.
void run_removing(CaseRun& case_run);
// Runs the case with a record of its own in the path, and removes that record.
void run_on_own_record(CaseRun& case_run);

// A record of the run's own that stays until the end of the run; its identifier, or why there is
// none. `parents` has the path parameters of the collection.
std::optional<std::string> create_for_run(CaseRun& case_run, const plan::OwnRecord& own,
                                          const plan::RequestPlan& parents, std::string& why);

// Requests that remove a record: DELETE, and GET to see that it worked.
constexpr std::size_t kRemoval = 2;

// Twelve digits, the same at no two times; a text for the marker of a record, of such a number.
std::string new_number();
std::string new_marker();

// Runs the case, and notes its requests that may have changed something.
void run_lasting(CaseRun& case_run);

// For a case whose changes could not be undone for the reason `why`: runs it where changes by its
// operation may last, unless it is about a record of the run's own; else skips it, or makes it
// inconclusive where the reason is `temporary`.
void give_up(CaseRun& case_run, const std::string& why, bool temporary);

// The result of undoing a change.
struct UndoResult {
  const CaseResponse* acted = nullptr;  // the response to what undoes it
  bool accepted = false;                // by that response; else the record was not read after it
  const CaseResponse* seen = nullptr;   // what shows the record
};

// Sends the requests about a record that a case run changes: they are not what it validates.
class UndoClient {
 public:
  // `reserved`: at the end of the run, whose requests are reserved.
  explicit UndoClient(CaseRun& case_run, bool reserved = false)
      : case_run_(case_run), reserved_(reserved) {}

  // The response to a request; null when there is none.
  const CaseResponse* ask(const spec::contract::Operation& operation,
                          const plan::RequestPlan& request);

  // The JSON object in a whole response of status 200; nothing if there is none.
  std::optional<nlohmann::json> record(const CaseResponse* sent);

  // Writes the record back, or removes it, and reads it.
  UndoResult undo(const PendingUndo& change);

  // The result of the last request, in words.
  const std::string& status() const { return status_; }

  // It got no response, or one that says nothing about the service.
  bool may_pass() const { return may_pass_; }

 private:
  CaseRun& case_run_;
  bool reserved_;
  std::string status_;
  bool may_pass_ = false;
};

// At the end of the run, undoes a change that its case could not undo.
void put_back(CaseRun& case_run, const PendingUndo& change);

// Checks what must be as it was when a run ends, beside the records that it changes: records that
// the subjects file names, and the content and total of a collection's list.

// The address of the collection of a case about a record of the run's own.
plan::RequestPlan parents_of(const Case& item);

// Before a change in a collection: counts its records, once in a run.
void note_list(CaseRun& case_run, const plan::OwnRecord& own, const plan::RequestPlan& parents);
// One record of the run is in it until its end, if its list shows that.
void count_for_run(CaseRun& case_run, const plan::OwnRecord& own, const plan::RequestPlan& parents);

// Before a change by the case: reads what is near it, once in a run.
void read_initial_state(CaseRun& case_run);

// After the last change: reads all of it again. What is different, and what cannot be known, goes
// to the lists at the end of the run.
void look_again(CaseRun& case_run);

// Other records that are gone after a deletion, as a response shows.
struct Loss {
  checks::ViolationMessage what;  // "/items/7 too"
  const CaseResponse* shown = nullptr;
  std::optional<checks::Severity> severity = {};  // where it is not the usual one
};

// Looks for losses among the records of the subjects file, in the list `before` (tries three
// records that it lacks now) and, as a warning, in its total. The run removed those in `removed`. A
// total in `before` must be one more than before the record was created, else it is ignored.
std::vector<Loss> losses_by_deletion(CaseRun& case_run, const plan::OwnRecord& own,
                                     const plan::RequestPlan& parents,
                                     const std::optional<OwnList>& before,
                                     const std::set<std::string>& removed);

// Reports a list that counts fewer records than before the run.
std::optional<Loss> loss_of_run(CaseRun& case_run, const plan::OwnRecord& own,
                                const plan::RequestPlan& parents);

}  // namespace contract_tests::run
