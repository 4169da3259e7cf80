#pragma once

// Changes that are to be undone, noted before they are made, so that an interrupted run can still
// put everything back. Safe from any thread.

#include "contract_tests/plan/request_plan.hpp"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace contract_tests::run {

struct PendingUndo {
  std::string operation;  // id in the contract
  plan::RequestPlan request;

  friend bool operator==(const PendingUndo&, const PendingUndo&) = default;
};

class UndoLog {
 public:
  // One entry for each `key` (operation and record): the first one tells how it was at first. False
  // when there was one.
  bool note(const std::string& key, PendingUndo undo);
  // False when there was none.
  bool done(const std::string& key);
  // What is still to be undone, and forgets it.
  std::vector<PendingUndo> take();

 private:
  std::mutex mutex_;
  std::map<std::string, PendingUndo> pending_;
};

}  // namespace contract_tests::run
