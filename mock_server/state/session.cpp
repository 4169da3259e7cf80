#include "mock_server/state/session.hpp"

#include <utility>

namespace mock_server::state {

namespace {

thread_local std::uint64_t changes_made = 0;

}  // namespace

std::uint64_t Session::changes_of_thread() {
  return changes_made;
}

Session::Session(std::string name, std::uint64_t serial, TimeSource source,
                 std::shared_ptr<Budget> budget, OpenCells open)
    : name_(std::move(name)),
      serial_(serial),
      source_(std::move(source)),
      budget_(std::move(budget)),
      open_(std::move(open)),
      cells_(open_(name_, serial_, budget_)) {}

void Session::reopen_snapshot(std::string_view name) {
  snapshots_.emplace(name, open_(name_ + '/' + std::string(name), serial_, budget_));
}

Cell Session::read(std::string_view key) const {
  return cells_->read(key);
}

Put Session::compare_and_set(std::string_view key, std::uint64_t expected,
                             std::optional<std::string> text, std::optional<TimePoint> expires) {
  return noted_if_done(cells_->compare_and_set(key, expected, std::move(text), expires, now()),
                       change_of_cell(key));
}

void Session::note(Change change) const {
  ++changes_made;
  if (changes_ != nullptr) {
    changes_->note(name_, change);
  }
}

Put Session::noted_if_done(Put put, Change change) const {
  if (put == Put::kDone) {
    note(change);
  }
  return put;
}

Cells Session::cells() const {
  return cells_->all();
}

Cells Session::cells(std::string_view prefix) const {
  return is_untouched() ? Cells{} : cells_->starting_with(prefix);
}

ClockSetting Session::clock() const {
  return ClockSetting::read(read(kClockCell).view());
}

Put Session::set_clock(std::uint64_t expected, const ClockSetting& setting) {
  const bool is_machines = setting == ClockSetting{};
  return compare_and_set(kClockCell, expected,
                         is_machines ? std::nullopt : std::optional(setting.text()));
}

Put Session::replace(const Cells& cells) {
  return noted_if_done(cells_->replace(cells), Change::kSession);
}

Put Session::take_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (const auto found = snapshots_.find(name); found != snapshots_.end()) {
    return noted_if_done(found->second->replace(cells_->all()), Change::kSnapshots);
  }
  if (snapshots_.size() >= kMaxSnapshots) {
    return Put::kFull;
  }
  auto made = open_(name_ + '/' + std::string(name), serial_, budget_);
  const Put put = made->replace(cells_->all());
  if (put == Put::kDone) {
    snapshots_.emplace(name, std::move(made));
  }
  return noted_if_done(put, Change::kSnapshots);
}

std::optional<Put> Session::restore_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  return found == snapshots_.end() ? std::nullopt
                                   : std::optional(noted_if_done(
                                         cells_->replace(found->second->all()), Change::kSession));
}

bool Session::drop_snapshot(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  if (found == snapshots_.end()) {
    return false;
  }
  snapshots_.erase(found);
  note(Change::kSnapshots);
  return true;
}

std::optional<Cells> Session::snapshot(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = snapshots_.find(name);
  return found == snapshots_.end() ? std::nullopt : std::optional(found->second->all());
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
