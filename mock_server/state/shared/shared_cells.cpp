#include "mock_server/state/shared/shared_cells.hpp"

#include "mock_server/state/cells.hpp"
#include "spec/text/ascii.hpp"

#include <utility>

namespace mock_server::state::shared {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kSweepEvery = 4096;  // cells: from here on expired ones are dropped
constexpr std::chrono::milliseconds kContention{100};

// "VERSION EXPIRES TEXT".
Cell read_cell(std::string_view text) {
  const std::size_t first = text.find(' ');
  const std::size_t second = text.find(' ', first + 1);
  Cell cell;
  cell.version = spec::text::parse_number<std::uint64_t>(text.substr(0, first)).value_or(0);
  if (const auto at =
          spec::text::parse_number<std::int64_t>(text.substr(first + 1, second - first - 1))) {
    cell.expires = TimePoint(std::chrono::microseconds(*at));
  }
  cell.text = std::make_shared<const std::string>(text.substr(second + 1));
  return cell;
}

}  // namespace

std::string expiry_text(const std::optional<TimePoint>& expires) {
  return expires ? std::to_string(expires->time_since_epoch().count()) : "-";
}

SharedCells::SharedCells(Redis& redis, std::string name, std::string owner, std::uint64_t serial,
                         std::size_t limit_bytes, std::size_t journal_bytes)
    : redis_(redis),
      name_(std::move(name)),
      owner_(std::move(owner)),
      serial_(serial),
      limit_bytes_(limit_bytes),
      journal_bytes_(journal_bytes) {}

std::size_t SharedCells::count() const {
  Transaction* const open = RequestScope::transaction_of(*this);
  return open != nullptr ? open->count() : copied_count();
}

Cell SharedCells::read(std::string_view key) const {
  Transaction* const open = RequestScope::transaction_of(*this);
  return open != nullptr ? open->read(key) : copied(key);
}

Cells SharedCells::all() const {
  Transaction* const open = RequestScope::transaction_of(*this);
  return open != nullptr ? open->all() : copied_all();
}

Cells SharedCells::starting_with(std::string_view prefix) const {
  Cells found = all();
  std::erase_if(found, [&](const auto& entry) { return !entry.first.starts_with(prefix); });
  return found;
}

std::uint64_t SharedCells::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

std::size_t SharedCells::copied_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

Cell SharedCells::copied(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto found = cells_.find(key);
  return found == cells_.end() ? Cell{} : found->second;
}

Cells SharedCells::copied_all() const {
  const std::lock_guard lock(mutex_);
  return cells_;
}

// Sets the cell of the copy, or removes it if it has no text. The mutex is held.
void SharedCells::put(std::string_view key, Cell cell) {
  if (const auto old = cells_.find(key); old != cells_.end()) {
    bytes_ -= weight(key, old->second);
    cells_.erase(old);
  }
  if (cell) {
    bytes_ += weight(key, cell);
    cells_.emplace(key, std::move(cell));
  }
}

void SharedCells::take_all(std::uint64_t version, const std::vector<Value>& cells) {
  Cells taken;
  for (std::size_t at = 0; at + 1 < cells.size(); at += 2) {
    taken.emplace(cells[at].text, read_cell(cells[at + 1].text));
  }
  const std::lock_guard lock(mutex_);
  if (version != 0 && version <= version_) {
    return;
  }
  cells_ = std::move(taken);
  bytes_ = weight(cells_);
  version_ = version;
  count_.store(cells_.size(), std::memory_order_release);
}

void SharedCells::take_changes(std::uint64_t base, std::uint64_t version,
                               const std::vector<Value>& cells) {
  const std::lock_guard lock(mutex_);
  if (version_ < base || version <= version_) {
    return;
  }
  for (std::size_t at = 0; at + 1 < cells.size(); at += 2) {
    put(cells[at].text, cells[at + 1].is_nothing ? Cell{} : read_cell(cells[at + 1].text));
  }
  version_ = version;
  count_.store(cells_.size(), std::memory_order_release);
}

void SharedCells::load() {
  const Value found = redis_.run(Script::kLoad, {name_});
  take_all(found.list.at(0).count(), found.list.at(1).list);
}

// The copy follows a change of our own only if no other came between; the next request loads it.
void SharedCells::note_change(const ChangeSet& changes, std::uint64_t before, std::uint64_t after) {
  const std::lock_guard lock(mutex_);
  if (version_ != before || after <= version_) {
    return;
  }
  if (changes.replaces) {
    cells_.clear();
    bytes_ = 0;
  }
  for (const auto& [key, cell] : changes.writes) {
    Cell kept = cell;
    kept.version = kept ? after : 0;
    put(key, std::move(kept));
  }
  version_ = after;
  count_.store(cells_.size(), std::memory_order_release);
}

bool SharedCells::commit(const ChangeSet& changes) {
  if (!changes.is_change()) {
    if (!changes.entry.empty()) {
      redis_.run(Script::kAppend, {changes.entry, std::to_string(journal_bytes_)});
    }
    return true;
  }
  Words words{name_,
              owner_,
              std::to_string(serial_),
              std::to_string(changes.base),
              changes.needs_base ? "1" : "0",
              changes.replaces ? "1" : "0",
              std::to_string(changes.reads.size())};
  for (const auto& [key, version] : changes.reads) {
    words.insert(words.end(), {key, std::to_string(version)});
  }
  words.push_back(std::to_string(changes.writes.size()));
  for (const auto& [key, cell] : changes.writes) {
    words.insert(words.end(),
                 {key, cell ? "1" : "0", expiry_text(cell.expires), std::string(cell.view())});
  }
  words.insert(words.end(), {changes.entry, std::to_string(journal_bytes_)});
  const Value done = redis_.run(Script::kCommit, words);
  if (done.list.at(0).number == 0) {
    return false;
  }
  note_change(changes, done.list.at(1).count(), done.list.at(2).count());
  return true;
}

// Outside of a request: the copy is what Redis has when this returns.
Put SharedCells::change_now(ChangeSet changes) {
  try {
    const bool is_done = commit(changes);
    load();
    return is_done ? Put::kDone : Put::kStale;
  } catch (const OutOfRoom&) {
    return Put::kFull;
  }
}

Put SharedCells::compare_and_set(std::string_view key, std::uint64_t expected,
                                 std::optional<std::string> text, std::optional<TimePoint> expires,
                                 TimePoint now) {
  const std::size_t cells = copied_count();
  if (text && cells >= kSweepEvery && cells % kSweepEvery == 0) {
    expire(now);
  }
  if (Transaction* const open = RequestScope::transaction_of(*this)) {
    return open->compare_and_set(key, expected, std::move(text), expires);
  }
  Cell next;
  if (text) {
    next = {0, std::make_shared<const std::string>(std::move(*text)), expires};
    if (copied_bytes() + weight(key, next) > limit_bytes_) {
      return Put::kFull;
    }
  }
  ChangeSet changes;
  changes.reads.emplace(key, expected);
  changes.writes.emplace(key, std::move(next));
  return change_now(std::move(changes));
}

void SharedCells::expire(TimePoint now) {
  for (const auto& [key, cell] : copied_all()) {
    if (cell.expires && *cell.expires <= now) {
      compare_and_set(key, cell.version, std::nullopt, std::nullopt, now);
    }
  }
}

Put SharedCells::replace(const Cells& cells) {
  if (Transaction* const open = RequestScope::transaction_of(*this)) {
    return open->replace(cells);
  }
  if (weight(cells) > limit_bytes_) {
    return Put::kFull;
  }
  ChangeSet changes;
  changes.replaces = true;
  changes.writes = cells;
  return change_now(std::move(changes));
}

bool SharedCells::is_contended() const {
  return SteadyClock::now().time_since_epoch().count() <
         contended_until_.load(std::memory_order_relaxed);
}

void SharedCells::note_contention() {
  contended_until_.store((SteadyClock::now() + kContention).time_since_epoch().count(),
                         std::memory_order_relaxed);
}

}  // namespace mock_server::state::shared
