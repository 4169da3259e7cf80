#include "mock_server/state/shared/shared_journal.hpp"

#include "mock_server/state/unavailable.hpp"
#include "spec/text/number.hpp"

#include <utility>

namespace mock_server::state::shared {
namespace {

constexpr std::size_t kMaxWaiting = 1'000;
constexpr std::uint64_t kReadyIds = 64;
constexpr std::uint64_t kRecordsAtOnce = 256;
constexpr char kEntry = 'E';  // then the bytes of an exchange
constexpr char kClear = 'C';  // then the number of a session

thread_local std::uint64_t expected_id = 0;

}  // namespace

SharedJournal::SharedJournal(Redis& redis, std::size_t limit_bytes)
    : redis_(redis), ring_(limit_bytes) {}

void SharedJournal::expect_id(std::uint64_t id) {
  expected_id = id;
}

std::uint64_t SharedJournal::next_id() {
  if (const std::uint64_t id = std::exchange(expected_id, 0); id != 0) {
    return id;
  }
  if (may_wait()) {
    return redis_.run(Script::kIds, {"1"}).count();
  }
  const std::lock_guard lock(mutex_);
  if (next_ready_ >= end_ready_) {
    throw Unavailable("no ids for the journal are ready; try again soon");
  }
  return next_ready_++;
}

void SharedJournal::add(const Exchange& exchange) {
  std::string record = kEntry + RingJournal::written(exchange, ring_.limit_bytes());
  if (may_wait()) {
    append(record);
    return;
  }
  const std::lock_guard lock(mutex_);
  if (waiting_.size() < kMaxWaiting) {
    waiting_.push_back(std::move(record));
  } else {
    is_partial_.store(true);
  }
}

void SharedJournal::append(const std::string& record) {
  try {
    redis_.run(Script::kAppend, {record, std::to_string(ring_.limit_bytes())});
  } catch (const OutOfRoom&) {
    throw Unavailable("the shared state has no room for the journal");
  }
}

void SharedJournal::take(const std::string& record) const {
  if (record.starts_with(kEntry)) {
    ring_.add_written(std::string_view(record).substr(1));
  } else {
    ring_.clear(spec::text::parse_number<std::uint64_t>(record.substr(1)).value_or(0));
  }
}

void SharedJournal::sync() const {
  const std::lock_guard lock(sync_mutex_);
  for (;;) {
    const Value found =
        redis_.run(Script::kSync, {std::to_string(place_), std::to_string(kRecordsAtOnce)});
    const auto dropped = static_cast<std::uint64_t>(found.list.at(0).number);
    const auto length = static_cast<std::uint64_t>(found.list.at(1).number);
    if (place_ > dropped + length) {  // Redis lost its data
      is_partial_.store(true);
      place_ = 0;
      continue;
    }
    if (place_ < dropped) {
      is_partial_.store(true);
      place_ = dropped;
    }
    for (const Value& record : found.list.at(2).list) {
      take(record.text);
      ++place_;
    }
    if (found.list.at(2).list.size() < kRecordsAtOnce) {
      return;
    }
  }
}

void SharedJournal::sync_if_here() const {
  if (may_wait()) {
    sync();
  }
}

std::optional<Entry> SharedJournal::find(std::uint64_t session, std::uint64_t id) const {
  sync_if_here();
  return ring_.find(session, id);
}

void SharedJournal::each(std::uint64_t session,
                         const std::function<void(const Entry&)>& visit) const {
  sync_if_here();
  ring_.each(session, visit);
}

JournalMark SharedJournal::mark(std::optional<std::uint64_t> session,
                                std::optional<std::uint64_t> after) const {
  sync_if_here();
  return ring_.mark(session, after);
}

std::uint64_t SharedJournal::follow(std::optional<std::uint64_t> session, JournalMark& mark,
                                    const std::function<bool(const Entry&)>& visit) const {
  sync_if_here();
  return ring_.follow(session, mark, visit);
}

JournalWindow SharedJournal::window(std::uint64_t session) const {
  sync_if_here();
  JournalWindow window = ring_.window(session);
  window.is_partial = window.is_partial || is_partial_.load();
  return window;
}

void SharedJournal::clear(std::uint64_t session) {
  append(kClear + std::to_string(session));
}

void SharedJournal::refresh(bool is_followed) {
  std::vector<std::string> waiting;
  bool needs_ids = false;
  {
    const std::lock_guard lock(mutex_);
    waiting.swap(waiting_);
    needs_ids = end_ready_ - next_ready_ < kReadyIds / 2;
  }
  for (const std::string& record : waiting) {
    append(record);
  }
  if (needs_ids) {
    const std::uint64_t last = redis_.run(Script::kIds, {std::to_string(kReadyIds)}).count();
    const std::lock_guard lock(mutex_);
    next_ready_ = last - kReadyIds + 1;
    end_ready_ = last + 1;
  }
  if (is_followed) {
    sync();
  }
}

}  // namespace mock_server::state::shared
