#include "mock_server/state/session.hpp"

#include <utility>

namespace mock_server::state {

Session::Session(std::string name, std::uint64_t serial, TimeSource source,
                 std::shared_ptr<Budget> budget, OpenCells open)
    : name_(std::move(name)),
      serial_(serial),
      source_(std::move(source)),
      budget_(std::move(budget)),
      open_(std::move(open)),
      cells_(open_(name_, budget_)) {}

Cell Session::read(std::string_view key) const {
  return cells_->read(key);
}

Put Session::compare_and_set(std::string_view key, std::uint64_t expected,
                             std::optional<std::string> text, std::optional<TimePoint> expires) {
  return cells_->compare_and_set(key, expected, std::move(text), expires, now());
}

void Session::expire() {
  cells_->expire(now());
}

Cells Session::cells() const {
  return cells_->all();
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
  replace({});
}

Put Session::replace(const Cells& cells) {
  return cells_->replace(cells);
}

Put Session::take_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (const auto found = snapshots_.find(name); found != snapshots_.end()) {
    return found->second->replace(cells_->all());
  }
  if (snapshots_.size() >= kMaxSnapshots) {
    return Put::kFull;
  }
  auto made = open_(name_ + '/' + std::string(name), budget_);
  const Put put = made->replace(cells_->all());
  if (put == Put::kDone) {
    snapshots_.emplace(name, std::move(made));
  }
  return put;
}

std::optional<Put> Session::restore_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  return found == snapshots_.end() ? std::nullopt
                                   : std::optional(cells_->replace(found->second->all()));
}

bool Session::drop_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  if (found == snapshots_.end()) {
    return false;
  }
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

}  // namespace mock_server::state
