#include "contract_tests/run/undo.hpp"

#include <utility>

namespace contract_tests::run {

void UndoLog::note(const std::string& key, PendingUndo undo) {
  const std::lock_guard lock(mutex_);
  pending_.emplace(key, std::move(undo));
}

void UndoLog::done(const std::string& key) {
  const std::lock_guard lock(mutex_);
  pending_.erase(key);
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
