#include "mock_server/state/shared/shared_journal.hpp"

#include "mock_server/state/cells.hpp"
#include "mock_server/state/journal.hpp"
#include "mock_server/state/shared/transaction.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::state::shared {
namespace {

using SteadyTime = std::chrono::steady_clock;

constexpr std::chrono::seconds kKeptNew{30};
constexpr std::size_t kMaxWaiting = 1'000;
constexpr std::uint64_t kReadyIds = 64;
constexpr std::uint64_t kRecordsAtOnce = 256;

thread_local std::uint64_t expected_id = 0;

// A record that is an entry.
struct WrittenEntry {
  std::uint32_t noted_at = 0;  // seconds by the clock of the mock that noted it
  std::string_view bytes;
};

// The entry of "E SESSION ID TIME NOTED_AT BYTES"; nothing for another record.
std::optional<WrittenEntry> entry_in(std::string_view record) {
  constexpr int kWords = 5;
  WrittenEntry entry;
  if (!record.starts_with("E ")) {
    return std::nullopt;
  }
  for (int word = 0; word < kWords; ++word) {
    const auto blank = record.find(' ');
    if (blank == std::string_view::npos) {
      return std::nullopt;
    }
    entry.noted_at = spec::text::parse_number<std::uint32_t>(record.substr(0, blank)).value_or(0);
    record.remove_prefix(blank + 1);
  }
  entry.bytes = record;
  return entry;
}

JournalWindow read_window(std::string_view text) {
  const auto numbers = read_numbers(text);
  JournalWindow window;
  if (numbers.size() == 5) {
    window.noted = static_cast<std::uint64_t>(numbers[0]);
    window.added = static_cast<std::uint64_t>(numbers[1]);
    window.last_lost_id = static_cast<std::uint64_t>(numbers[2]);
    window.last_lost_time = TimePoint(std::chrono::microseconds(numbers[3]));
    window.is_partial = numbers[4] != 0;
  }
  return window;
}

}  // namespace

SharedJournal::SharedJournal(Redis& redis, std::size_t limit_bytes, std::chrono::seconds max_age,
                             const TimeSource& source)
    : redis_(redis),
      source_(source),
      copy_(limit_bytes, max_age, source),
      asked_at_(SteadyTime::now().time_since_epoch().count()) {}

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

// "E SESSION ID TIME NOTED_AT BYTES".
std::string SharedJournal::record_of(const Exchange& exchange) const {
  const auto noted_at =
      std::chrono::duration_cast<std::chrono::seconds>(source_().time_since_epoch()).count();
  return "E " + std::to_string(exchange.session) + ' ' + std::to_string(exchange.id) + ' ' +
         std::to_string(exchange.time.time_since_epoch().count()) + ' ' + std::to_string(noted_at) +
         ' ' + write_entry(exchange, copy_.limit_bytes());
}

void SharedJournal::add(const Exchange& exchange) {
  std::string record = record_of(exchange);
  if (Transaction* const open = RequestScope::transaction()) {
    open->note_entry(std::move(record));
    return;
  }
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
  redis_.run(Script::kAppend, {record, std::to_string(copy_.limit_bytes())});
}

// The record at `place_`.
void SharedJournal::take(std::string_view record) const {
  const auto entry = entry_in(record);
  if (entry && place_ < known_up_to_) {
    copy_.restore(place_, entry->bytes, entry->noted_at);
  } else if (entry) {
    copy_.add_written(entry->bytes, entry->noted_at);
  } else {
    constexpr std::size_t kLetter = 2;  // "C ", "P "
    const auto session =
        spec::text::parse_number<std::uint64_t>(record.substr(std::min(kLetter, record.size())));
    if (session && record.starts_with('C')) {
      copy_.clear(*session);
      known_whole_.insert(*session);
    } else if (session && record.starts_with('P')) {
      copy_.clear_in_part(*session);
    }
    copy_.add_gap();
  }
  ++place_;
}

// Begins with what there is: it is not known here what went before. `windows` count it already.
void SharedJournal::start_over(std::uint64_t dropped, std::uint64_t length,
                               const std::vector<Value>& windows) const {
  copy_.start_over(dropped);
  for (std::size_t at = 0; at + 1 < windows.size(); at += 2) {
    copy_.restore_window(windows[at].count(), read_window(windows[at + 1].text));
  }
  place_ = dropped;
  known_up_to_ = dropped + length;
}

void SharedJournal::note_loss() {
  {
    const std::lock_guard lock(mutex_);
    end_ready_ = next_ready_;  // they may be given again
  }
  const std::lock_guard lock(sync_mutex_);
  is_partial_.store(true);
  known_whole_.clear();
}

void SharedJournal::sync() const {
  const std::lock_guard lock(sync_mutex_);
  for (;;) {
    const Value found =
        redis_.run(Script::kSync, {std::to_string(place_), std::to_string(kRecordsAtOnce)});
    const auto dropped = static_cast<std::uint64_t>(found.list.at(0).number);
    const auto length = static_cast<std::uint64_t>(found.list.at(1).number);
    const std::string& epoch = found.list.at(3).text;
    if (!epoch_.empty() && epoch != epoch_) {  // all data was lost, and the journal with it
      is_partial_.store(true);
      known_whole_.clear();
      start_over(0, 0, {});
      epoch_ = epoch;
      continue;
    }
    epoch_ = epoch;
    if (!found.list.at(4).is_nothing) {
      start_over(dropped, length, found.list.at(4).list);
    }
    for (const Value& record : found.list.at(2).list) {
      take(record.text);
    }
    if (found.list.at(2).list.size() < kRecordsAtOnce) {
      copy_.drop_before(dropped);  // so that every mock has the same
      return;
    }
  }
}

const MemoryJournal& SharedJournal::copy() const {
  if (may_wait()) {
    sync();
  } else {
    asked_at_.store(SteadyTime::now().time_since_epoch().count(), std::memory_order_relaxed);
  }
  return copy_;
}

bool SharedJournal::is_asked_for() const {
  return SteadyTime::now().time_since_epoch() <
         SteadyTime::duration(asked_at_.load(std::memory_order_relaxed)) + kKeptNew;
}

JournalWindow SharedJournal::window(std::uint64_t session) const {
  JournalWindow window = copy().window(session);
  const std::lock_guard lock(sync_mutex_);
  window.is_partial = window.is_partial || (is_partial_.load() && !known_whole_.contains(session));
  return window;
}

void SharedJournal::clear(std::uint64_t session, const char* letter) {
  redis_.run(Script::kClear, {std::to_string(session), std::to_string(limit_bytes()), letter});
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
  if (is_followed || is_asked_for()) {
    sync();
  }
}

}  // namespace mock_server::state::shared
