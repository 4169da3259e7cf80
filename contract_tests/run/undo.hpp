#pragma once

// Changes that are to be undone, noted before they are made, so that an interrupted run can still
// put everything back; and what could not be put back, to be said at the end. Safe from any thread.

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
  // The operation that shows whether it worked, about the same path, and what it showed before the
  // change; "" where the response to `request` shows it.
  std::string read = {};
  nlohmann::json was = nullptr;

  // How many requests putting back takes.
  std::size_t requests() const { return read.empty() ? 1 : 2; }

  friend bool operator==(const PendingUndo&, const PendingUndo&) = default;
};

// Something that is not as it was: a place, and what is there now, shown as text.
struct Left {
  std::string place;  // "/todos/1 /title"; the whole line where nothing else is given
  std::string now = {};
  std::string was = {};
};

class UndoLog {
 public:
  // One entry for each `key` (operation and record): the first one tells how it was at first. False
  // when there was one.
  bool note(const std::string& key, PendingUndo undo);
  // How many requests were kept back for it; 0 when there was none.
  std::size_t done(const std::string& key);
  bool is_pending(const std::string& key) const;
  // What is still to be undone, and forgets it.
  std::vector<PendingUndo> take();

  // Something is not as it was, and no request of the run mends it. Of one place, the first `was`
  // and the last `now` count.
  void leave(Left left);
  // One line each: "/todos/1 /title is now 1 and was 2".
  std::vector<std::string> left() const;
  // How many records the run changed, or may have.
  std::size_t records() const;

  // Whether the service was seen to take back what it shows of the record: asked once a record.
  bool is_proven(const std::string& key) const;
  void prove(const std::string& key);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, PendingUndo> pending_;
  std::set<std::string> noted_;
  std::set<std::string> proven_;
  std::vector<Left> left_;
};

// Members of the record at `place` that are not as they were. Both are JSON objects.
std::vector<Left> differences(const std::string& place, const nlohmann::json& was,
                              const nlohmann::json& now);

}  // namespace contract_tests::run
