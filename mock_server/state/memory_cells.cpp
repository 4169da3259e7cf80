#include "mock_server/state/memory_cells.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mock_server::state {

MemoryCells::~MemoryCells() {
  if (budget_) {
    budget_->give_back(bytes_);
  }
}

Cell MemoryCells::read(std::string_view key) const {
  if (count() == 0) {
    return {};
  }
  const std::lock_guard lock(mutex_);
  const auto found = cells_.find(key);
  return found == cells_.end() ? Cell{} : found->second;
}

Cells MemoryCells::all() const {
  const std::lock_guard lock(mutex_);
  return cells_;
}

Cells MemoryCells::starting_with(std::string_view prefix) const {
  Cells found;
  const std::lock_guard lock(mutex_);
  for (auto at = cells_.lower_bound(prefix);
       at != cells_.end() && std::string_view(at->first).starts_with(prefix); ++at) {
    found.emplace_hint(found.end(), *at);
  }
  return found;
}

Put MemoryCells::compare_and_set(std::string_view key, std::uint64_t expected,
                                 std::optional<std::string> text, std::optional<TimePoint> expires,
                                 TimePoint now) {
  Cell next;
  if (text) {
    next = {0, std::make_shared<const std::string>(std::move(*text)), expires};
  }
  const std::lock_guard lock(mutex_);
  auto found = cells_.find(key);
  if ((found == cells_.end() ? 0 : found->second.version) != expected) {
    return Put::kStale;
  }
  const std::size_t before = found == cells_.end() ? 0 : weight(key, found->second);
  if (!take_room(before, next ? weight(key, next) : 0)) {
    return Put::kFull;
  }
  if (!next) {
    if (found != cells_.end()) {
      cells_.erase(found);
    }
  } else {
    next.version = next_version_++;
    cells_.insert_or_assign(std::string(key), std::move(next));
    if (cells_.size() >= sweep_at_) {
      drop_expired(now);
      sweep_at_ = std::max<std::size_t>(4096, 2 * cells_.size());
    }
  }
  count_.store(cells_.size(), std::memory_order_release);
  return Put::kDone;
}

Put MemoryCells::replace(const Cells& cells) {
  const std::lock_guard lock(mutex_);
  if (!take_room(weight(cells_), weight(cells))) {
    return Put::kFull;
  }
  cells_ = cells;
  for (auto& entry : cells_) {
    entry.second.version = next_version_++;
  }
  count_.store(cells_.size(), std::memory_order_release);
  return Put::kDone;
}

void MemoryCells::restore(Cells cells, std::uint64_t next_version) {
  const std::lock_guard lock(mutex_);
  const std::size_t now_bytes = weight(cells_);
  const std::size_t then_bytes = weight(cells);
  if (budget_) {  // what was kept once has its place, also beyond the budget
    budget_->give_back(now_bytes);
    budget_->used.fetch_add(then_bytes, std::memory_order_relaxed);
  }
  bytes_ = bytes_ + then_bytes - now_bytes;
  cells_ = std::move(cells);
  next_version_ = next_version;
  count_.store(cells_.size(), std::memory_order_release);
}

std::uint64_t MemoryCells::next_version() const {
  const std::lock_guard lock(mutex_);
  return next_version_;
}

// Books the difference; always true when less is needed. The lock is held, here and below.
bool MemoryCells::take_room(std::size_t now_bytes, std::size_t then_bytes) {
  if (then_bytes > now_bytes) {
    if (budget_ && !budget_->take(then_bytes - now_bytes)) {
      return false;
    }
  } else if (budget_) {
    budget_->give_back(now_bytes - then_bytes);
  }
  bytes_ = bytes_ + then_bytes - now_bytes;
  return true;
}

void MemoryCells::drop_expired(TimePoint now) {
  for (auto at = cells_.begin(); at != cells_.end();) {
    const bool over = at->second.expires && *at->second.expires <= now;
    if (over) {
      take_room(weight(at->first, at->second), 0);
    }
    at = over ? cells_.erase(at) : std::next(at);
  }
}

std::unique_ptr<CellStore> open_in_memory(std::string_view /*name*/, std::uint64_t /*serial*/,
                                          const std::shared_ptr<Budget>& budget) {
  return std::make_unique<MemoryCells>(budget);
}

}  // namespace mock_server::state
