#include "contract_tests/run/undo.hpp"

#include <utility>

namespace contract_tests::run {

bool UndoLog::note(const std::string& key, PendingUndo undo) {
  const std::lock_guard lock(mutex_);
  return pending_.emplace(key, std::move(undo)).second;
}

bool UndoLog::done(const std::string& key) {
  const std::lock_guard lock(mutex_);
  return pending_.erase(key) != 0;
}

std::vector<PendingUndo> UndoLog::take() {
  const std::lock_guard lock(mutex_);
  std::vector<PendingUndo> all;
  for (auto& [key, undo] : std::exchange(pending_, {})) {
    all.push_back(std::move(undo));
  }
  return all;
}

}  // namespace contract_tests::run
