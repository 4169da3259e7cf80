#include "mock_server/state/session.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::state {

Session::Session(std::string name, std::uint64_t serial, TimeSource source,
                 std::shared_ptr<Budget> budget)
    : name_(std::move(name)),
      serial_(serial),
      source_(std::move(source)),
      budget_(std::move(budget)) {}

Session::~Session() {
  if (budget_) {
    budget_->give_back(bytes_);
  }
}

Cell Session::read(std::string_view key) const {
  if (is_untouched()) {
    return {};
  }
  const std::lock_guard lock(mutex_);
  const auto found = cells_.find(key);
  return found == cells_.end() ? Cell{} : found->second;
}

Put Session::compare_and_set(std::string_view key, std::uint64_t expected,
                             std::optional<std::string> text, std::optional<TimePoint> expires) {
  Cell next;
  if (text) {
    next = {0, std::make_shared<const std::string>(std::move(*text)), expires};
  }
  const TimePoint time = now();
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
      drop_expired(time);
      sweep_at_ = std::max<std::size_t>(4096, 2 * cells_.size());
    }
  }
  cell_count_.store(cells_.size(), std::memory_order_release);
  return Put::kDone;
}

void Session::expire() {
  const TimePoint time = now();
  const std::lock_guard lock(mutex_);
  drop_expired(time);
  cell_count_.store(cells_.size(), std::memory_order_release);
}

Cells Session::cells() const {
  const std::lock_guard lock(mutex_);
  return cells_;
}

ClockSetting Session::clock() const {
  const Cell cell = read(kClockCell);
  return cell ? ClockSetting::read(*cell.text) : ClockSetting{};
}

Put Session::set_clock(std::uint64_t expected, const ClockSetting& setting) {
  const bool is_machines = setting == ClockSetting{};
  return compare_and_set(kClockCell, expected,
                         is_machines ? std::nullopt : std::optional(setting.text()));
}

void Session::reset() {
  const std::lock_guard lock(mutex_);
  take_room(weight(cells_), 0);
  keep({});
}

Put Session::replace(const Cells& cells) {
  const std::lock_guard lock(mutex_);
  if (!take_room(weight(cells_), weight(cells))) {
    return Put::kFull;
  }
  keep(cells);
  return Put::kDone;
}

Put Session::take_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  if (found == snapshots_.end() && snapshots_.size() >= kMaxSnapshots) {
    return Put::kFull;
  }
  const std::size_t before = found == snapshots_.end() ? 0 : weight(found->second);
  if (!take_room(before, weight(cells_))) {
    return Put::kFull;
  }
  snapshots_.insert_or_assign(std::string(name), cells_);
  return Put::kDone;
}

std::optional<Put> Session::restore_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  if (found == snapshots_.end()) {
    return std::nullopt;
  }
  if (!take_room(weight(cells_), weight(found->second))) {
    return Put::kFull;
  }
  keep(found->second);
  return Put::kDone;
}

bool Session::drop_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  if (found == snapshots_.end()) {
    return false;
  }
  take_room(weight(found->second), 0);
  snapshots_.erase(found);
  return true;
}

std::vector<std::string> Session::snapshots() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& entry : snapshots_) {
    names.push_back(entry.first);
  }
  return names;
}

// Books the difference; always true when less is needed. The lock is held.
bool Session::take_room(std::size_t now_bytes, std::size_t then_bytes) {
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

// The lock is held.
void Session::drop_expired(TimePoint now) {
  for (auto at = cells_.begin(); at != cells_.end();) {
    const bool over = at->second.expires && *at->second.expires <= now;
    if (over) {
      take_room(weight(at->first, at->second), 0);
    }
    at = over ? cells_.erase(at) : std::next(at);
  }
}

// New versions throughout, so that nothing that was read before fits. The lock is held.
void Session::keep(Cells cells) {
  for (auto& entry : cells) {
    entry.second.version = next_version_++;
  }
  cells_ = std::move(cells);
  cell_count_.store(cells_.size(), std::memory_order_release);
}

}  // namespace mock_server::state
