#pragma once

// Changes to undo, noted before they are made, so that an interrupted run can still undo them; and
// the changes that could not be undone, which the run reports.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/client/secret_texts.hpp"
#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/plan/request_plan.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::run {

// A change that can be undone, and how.
struct PendingUndo {
  std::string key;  // of the operation and the record
  // Writes the record back, or removes what the run created. No case run's own names: the end of
  // the run may have to send it.
  const spec::contract::Operation* operation = nullptr;
  plan::RequestPlan request;
  // Reads the record at the same path; null if the response to `request` shows it.
  const spec::contract::Operation* read = nullptr;
  nlohmann::json was = nullptr;  // what is to be shown again; null: nothing, it is removed
  // A text that the record must show before it is removed: else it may be another. "" if it is
  // known to be the run's.
  std::string marker = {};

  bool removes() const { return was.is_null(); }

  // The number of requests that the undo takes.
  std::size_t requests() const {
    return 1U + (read == nullptr ? 0U : 1U) + (marker.empty() ? 0U : 1U);
  }
};

// A value that could not be restored: its place, and both values as text.
struct RemainingValue {
  std::string place;  // "/todos/1 /title"; the whole line where nothing else is given
  std::string now = {};
  std::string was = {};
  std::string curl = {};  // the request that would undo it; "" if no request is known
};

// The same for reports.
struct RemainingChange {
  std::string what;  // "/todos/1 /title is now 1 and was 2"
  std::string curl;

  friend bool operator==(const RemainingChange&, const RemainingChange&) = default;
};

// State of the records that the run creates by one operation.
struct Creation {
  bool proven = false;                       // one was created, found, removed and then not found
  std::string why_not;                       // why no more are created; "" normally
  std::string rule;                          // the one that this violates; "" for none
  std::optional<checks::Severity> severity;  // of that, where it is not the usual one
  std::shared_ptr<const client::Exchange> shown;  // the response that shows it
  // True if responses show that a record is new: by 201, or by growing numbers.
  bool shows_new = false;
  std::set<std::string> existing;  // identifiers of those that are not removed yet
  std::set<std::string> removed;   // which the service may use again
  long long greatest = 0;          // of those that are numbers
  unsigned cases = 0;              // that had a record
};

// A record that the subjects file names, or the list of a collection, as it was read before the
// first change there.
struct InitialReading {
  const spec::contract::Operation* read = nullptr;
  plan::RequestPlan request;
  nlohmann::json was = nullptr;          // the record
  const plan::OwnRecord* own = nullptr;  // of a list
  std::optional<long long> count = {};   // of the list, where it is known
  long long kept = 0;                    // records of the run in it, which stay there until its end
};

// Requests of one operation whose effects last.
struct LastingRequests {
  std::size_t requests = 0;
  std::set<int> statuses;
  std::set<std::string> paths;
};

// One case that writes runs at a time, so that nothing here is locked but what other cases note.
struct UndoLog {
  std::map<std::string, PendingUndo> pending;  // changes that are not undone yet, by key
  std::set<std::string> noted;   // the keys of all: records that may have been changed
  std::set<std::string> proven;  // keys of records that the service accepted as they were

  // By the id of an operation that did not restore a record: why no other is written with it.
  std::map<std::string, std::string> given_up;

  std::map<std::string, Creation> creations;  // by the operation that creates, and its path
  // By the id of an operation that creates: true if the texts must be other ones in each record,
  // since the service accepts those and not the ones of the plain request; false if others are
  // rejected too.
  std::map<std::string, bool> unique;
  std::map<std::string, InitialReading> initial_readings;  // by path
  std::set<std::string> doubts;  // what could not be verified of the state that the run leaves

  // Values that could not be restored, and by the operation's name what lasts.
  std::vector<RemainingValue> values;
  std::map<std::string, LastingRequests> lasting;
  std::mutex lasting_mutex;

  // False if a change with this key is pending already: the first one counts.
  bool note(PendingUndo change);
  // Notes a value that could not be restored, without secrets. For one place the first `was` and
  // the last `now` count.
  void leave(const RemainingValue& value, const client::Secrets& secrets);
  // The same for every member of the record at `place` that has changed; `curl` would undo it. Both
  // are JSON objects.
  void leave(const std::string& place, const nlohmann::json& was, const nlohmann::json& now,
             const std::string& curl, const client::Secrets& secrets);
  // Notes a request whose effect lasts, to `path`, which was not rejected. From any thread.
  void last(const std::string& operation_name, const std::string& path, int status);
  // The operation has not restored `member` of the record at `path`.
  void give_up(const spec::contract::Operation& operation, const std::string& path,
               const std::string& member);
  // All that is left at the end of the run.
  std::vector<RemainingChange> remaining_changes() const;
};

}  // namespace contract_tests::run
