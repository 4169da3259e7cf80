#pragma once

// Changes to undo, noted before they are made, so that an interrupted run can still undo them; and
// the changes that could not be undone, which the run reports. Safe from any thread.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/exchange.hpp"
#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/run/display/secrets.hpp"

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

struct PendingUndo {
  const spec::contract::Operation* operation = nullptr;
  plan::RequestPlan request;
  // The operation that reads the record, and what it showed before the change; null where the
  // response to `request` shows it.
  const spec::contract::Operation* read = nullptr;
  nlohmann::json was = nullptr;
  // `request` deletes what the run created, and `read` must not find it then. Where `was` is a
  // text, `read` must show it before: else it may be another record.
  bool removes = false;

  // How many requests the undo takes.
  std::size_t requests() const {
    const bool looks = removes && was.is_string() && !was.get_ref<const std::string&>().empty();
    return read == nullptr ? 1 : looks ? 3 : 2;
  }

  friend bool operator==(const PendingUndo&, const PendingUndo&) = default;
};

// A value that could not be restored: its place, and both values as text.
struct Left {
  std::string place;  // "/todos/1 /title"; the whole line where nothing else is given
  std::string now = {};
  std::string was = {};
  std::string curl = {};  // the request that would undo it; "" where none is known
};

// The same for reports.
struct LeftBehind {
  std::string what;  // "/todos/1 /title is now 1 and was 2"
  std::string curl;

  friend bool operator==(const LeftBehind&, const LeftBehind&) = default;
};

// What is known of the records that the run creates by one operation.
struct Creation {
  bool proven = false;                       // one was created, found, removed and then not found
  std::string why_not;                       // why no more are created; "" normally
  std::string rule;                          // the one that this violates; "" for none
  std::optional<checks::Severity> severity;  // of that, where it is not the usual one
  std::shared_ptr<const client::Exchange> shown;  // the response that shows it
  // Whether responses show that a record is new: by 201, or by growing numbers.
  bool shows_new = false;
  std::set<std::string> existing;  // identifiers of those that are not removed yet
  std::set<std::string> removed;   // which the service may use again
  long long greatest = 0;          // of those that are numbers
  unsigned cases = 0;              // that had a record
};

// What was read near a record before the first change there: a record that the subjects file names,
// or the list of the collection.
struct Witness {
  const spec::contract::Operation* read = nullptr;
  plan::RequestPlan request;
  nlohmann::json was = nullptr;          // the record
  const plan::OwnRecord* own = nullptr;  // of a list
  std::optional<long long> count = {};   // of the list, where it is known
};

class UndoLog {
 public:
  // One entry for each `key` (operation and record), the first one. False when there is one
  // already.
  bool note(const std::string& key, PendingUndo undo);
  // How many requests were reserved for it; 0 when there was no entry.
  std::size_t done(const std::string& key);
  bool is_pending(const std::string& key) const;
  // Removes and returns the changes that are not undone yet.
  std::vector<PendingUndo> take();

  // Notes a value that could not be restored, without secrets. For one place the first `was` and
  // the last `now` count.
  void leave(const Left& value, const display::Secrets& secrets);
  // Notes a request whose effect lasts, to `path`, which was not rejected.
  void last(const std::string& operation_name, const std::string& path, int status);
  std::vector<LeftBehind> left() const;
  // How many records the run changed, or may have.
  std::size_t records() const;

  // Whether the service accepted its own record; tested once for each record.
  bool is_proven(const std::string& key) const;
  void prove(const std::string& key);

  // A record could not be restored by the operation of this id: why no other is written with it.
  void give_up(const std::string& operation, std::string why);
  // "" while records may be written with it.
  std::string why_given_up(const std::string& operation) const;

  // What could not be verified of the state that the run leaves.
  void doubt(std::string what);
  std::vector<std::string> doubts() const;

  // By path. For cases that write, as creation().
  std::map<std::string, Witness>& surroundings() { return surroundings_; }

  // By the operation that creates, and its path. Cases that write run one after another: one of
  // them at a time reads and changes it.
  Creation& creation(const std::string& place);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, PendingUndo> pending_;
  std::set<std::string> noted_;
  std::set<std::string> proven_;
  std::map<std::string, std::string> given_up_;
  std::vector<Left> left_;

  // Requests of one operation whose effects last.
  struct Lasting {
    std::size_t requests = 0;
    std::set<int> statuses;
    std::set<std::string> paths;
  };

  std::map<std::string, Lasting> lasting_;
  std::map<std::string, Creation> creations_;
  std::map<std::string, Witness> surroundings_;
  std::set<std::string> doubts_;
};

// Members of the record at `place` that have changed. Both are JSON objects.
std::vector<Left> differences(const std::string& place, const nlohmann::json& was,
                              const nlohmann::json& now);

}  // namespace contract_tests::run
