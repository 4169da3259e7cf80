#include "mock_server/state/session_changes.hpp"

#include "mock_server/state/cells.hpp"
#include "mock_server/state/session_store.hpp"

#include <algorithm>
#include <iterator>

namespace mock_server::state {

std::string_view to_text(Change change) {
  constexpr std::array<std::string_view, kChangeKinds> kTexts{"records", "scenarios", "clock",
                                                              "seed",    "rates",     "snapshots",
                                                              "session", "journal",   "upstream"};
  return kTexts.at(static_cast<std::size_t>(change));
}

Change change_of_cell(std::string_view cell) {
  if (cell == Session::kClockCell) {
    return Change::kClock;
  }
  if (cell == kSeedCell) {
    return Change::kSeed;
  }
  if (cell == kUpstreamCell) {
    return Change::kUpstream;
  }
  if (cell.starts_with(kRateCells)) {
    return Change::kRates;
  }
  const bool of_records = cell.starts_with(record_cells()) || cell.starts_with(kNumberCells) ||
                          cell.starts_with(kOrderCells) || cell.starts_with(kStepCells) ||
                          cell.starts_with(kIssuedCells);
  return of_records ? Change::kRecords : Change::kScenarios;
}

void Changes::note(std::string_view session, Change change) {
  if (watchers_.load(std::memory_order_relaxed) == 0) {
    return;
  }
  const std::lock_guard lock(mutex_);
  const auto found = by_session_.find(session);
  if (found != by_session_.end()) {
    noted_.splice(noted_.end(), noted_, found->second);
  } else {
    if (noted_.size() >= kMaxSessions) {
      by_session_.erase(noted_.front().session);
      noted_.pop_front();
    }
    noted_.push_back({std::string(session)});
    by_session_.emplace(noted_.back().session, std::prev(noted_.end()));
  }
  noted_.back().latest = ++now_;
  noted_.back().at.at(static_cast<std::size_t>(change)) = now_;
}

ChangeWatch::ChangeWatch(Changes& changes) : changes_(changes) {
  changes_.watchers_.fetch_add(1);
  const std::lock_guard lock(changes_.mutex_);
  seen_ = changes_.now_;
}

ChangeWatch::~ChangeWatch() {
  const std::lock_guard lock(changes_.mutex_);
  if (changes_.watchers_.fetch_sub(1) == 1) {
    changes_.by_session_.clear();
    changes_.noted_.clear();
  }
}

std::vector<SessionChange> ChangeWatch::take(const std::optional<std::string>& session,
                                             std::size_t limit) {
  std::vector<SessionChange> taken;
  const std::lock_guard lock(changes_.mutex_);
  auto first = changes_.noted_.end();
  while (first != changes_.noted_.begin() && std::prev(first)->latest > seen_) {
    --first;
  }
  const std::uint64_t before = seen_;
  for (; first != changes_.noted_.end() && taken.size() < limit; ++first) {
    seen_ = first->latest;
    if (session && *session != first->session) {
      continue;
    }
    SessionChange& change = taken.emplace_back(SessionChange{first->session, {}});
    for (std::size_t kind = 0; kind < kChangeKinds; ++kind) {
      if (first->at.at(kind) > before) {
        change.what.push_back(static_cast<Change>(kind));
      }
    }
  }
  return taken;
}

}  // namespace mock_server::state
