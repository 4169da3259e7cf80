#pragma once

// Changes to undo, noted before they are made, so that an interrupted run can still undo them; and
// the changes that could not be undone, which the run reports. Safe from any thread.

#include "contract_tests/plan/request_plan.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::run {

struct PendingUndo {
  std::string operation;  // id in the contract
  plan::RequestPlan request;
  // The operation that reads the record, and what it showed before the change; "" where the
  // response to `request` shows it.
  std::string read = {};
  nlohmann::json was = nullptr;

  // How many requests the undo takes.
  std::size_t requests() const { return read.empty() ? 1 : 2; }

  friend bool operator==(const PendingUndo&, const PendingUndo&) = default;
};

// A value that could not be restored: its place, and both values as text.
struct Left {
  std::string place;  // "/todos/1 /title"; the whole line where nothing else is given
  std::string now = {};
  std::string was = {};
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

  // Notes a value that could not be restored. For one place the first `was` and the last `now`
  // count.
  void leave(Left left);
  // One line each: "/todos/1 /title is now 1 and was 2".
  std::vector<std::string> left() const;
  // How many records the run changed, or may have.
  std::size_t records() const;

  // Whether the service accepted its own record; tested once for each record.
  bool is_proven(const std::string& key) const;
  void prove(const std::string& key);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, PendingUndo> pending_;
  std::set<std::string> noted_;
  std::set<std::string> proven_;
  std::vector<Left> left_;
};

// Members of the record at `place` that have changed. Both are JSON objects.
std::vector<Left> differences(const std::string& place, const nlohmann::json& was,
                              const nlohmann::json& now);

}  // namespace contract_tests::run
