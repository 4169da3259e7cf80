#include "mock_server/state/session.hpp"

#include <utility>

namespace mock_server::state {

Cell Session::read(std::string_view key) const {
  if (is_untouched()) {
    return {};
  }
  const std::lock_guard lock(mutex_);
  const auto found = cells_.find(key);
  return found == cells_.end() ? Cell{} : found->second;
}

bool Session::compare_and_set(std::string_view key, std::uint64_t expected, std::string text) {
  auto kept = std::make_shared<const std::string>(std::move(text));
  const std::lock_guard lock(mutex_);
  const auto found = cells_.find(key);
  const std::uint64_t current = found == cells_.end() ? 0 : found->second.version;
  if (current != expected) {
    return false;
  }
  cells_.insert_or_assign(std::string(key), Cell{next_version_++, std::move(kept)});
  cell_count_.store(cells_.size(), std::memory_order_release);
  return true;
}

std::map<std::string, Cell, std::less<>> Session::cells() const {
  const std::lock_guard lock(mutex_);
  return cells_;
}

void Session::reset() {
  {
    const std::lock_guard lock(mutex_);
    cells_.clear();
    cell_count_.store(0, std::memory_order_release);
  }
  clock_.reset();
  rates_.reset();
}

}  // namespace mock_server::state
