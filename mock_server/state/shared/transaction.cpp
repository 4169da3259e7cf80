#include "mock_server/state/shared/transaction.hpp"

#include "mock_server/state/cells.hpp"
#include "mock_server/state/session_changes.hpp"
#include "mock_server/state/shared/shared_cells.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>

namespace mock_server::state::shared {
namespace {

using std::chrono::microseconds;

constexpr std::uint64_t kFirstLocalVersion = std::uint64_t{1} << 62;
constexpr std::uint32_t kMaxTries = 64;
constexpr std::chrono::seconds kMaxTurn{3};
constexpr std::uint32_t kFirstPause = 200;  // microseconds; doubled with every try, up to
constexpr std::uint32_t kLastPause = 20'000;

thread_local RequestScope* scope_of_thread = nullptr;

// A random part of a time that grows with the tries, so that replicas do not meet again.
void pause(std::uint32_t tries) {
  thread_local std::minstd_rand chance(std::random_device{}());
  const std::uint32_t most = std::min(kLastPause, kFirstPause << std::min(tries, 7U));
  std::this_thread::sleep_for(
      microseconds(std::uniform_int_distribution<std::uint32_t>(0, most)(chance)));
}

}  // namespace

Transaction::Transaction(SharedCells& cells) : cells_(cells), next_version_(kFirstLocalVersion) {
  changes_.base = cells.version();
}

std::size_t Transaction::count() {
  std::size_t count = changes_.replaces ? 0 : cells_.copied_count();
  for (const auto& [key, cell] : changes_.writes) {
    const bool was = !changes_.replaces && cells_.copied(key);
    count += cell && !was ? 1 : 0;
    count -= !cell && was ? 1 : 0;
  }
  saw_nothing_ = saw_nothing_ || (count == 0 && !changes_.replaces);
  return count;
}

Cell Transaction::read(std::string_view key) {
  if (const auto own = changes_.writes.find(key); own != changes_.writes.end()) {
    return own->second;
  }
  if (changes_.replaces) {
    return {};
  }
  Cell cell = cells_.copied(key);
  changes_.reads.emplace(key, cell.version);
  return cell;
}

Cells Transaction::all() {
  Cells cells;
  if (!changes_.replaces) {
    cells = cells_.copied_all();
    saw_all_ = true;
  }
  for (const auto& [key, cell] : changes_.writes) {
    if (cell) {
      cells.insert_or_assign(key, cell);
    } else {
      cells.erase(key);
    }
  }
  return cells;
}

void Transaction::write(std::string_view key, Cell cell) {
  if (cell) {
    cell.version = next_version_++;
  }
  changes_.writes.insert_or_assign(std::string(key), std::move(cell));
}

Put Transaction::compare_and_set(std::string_view key, std::uint64_t expected,
                                 std::optional<std::string> text,
                                 std::optional<TimePoint> expires) {
  if (read(key).version != expected) {
    return Put::kStale;
  }
  Cell next;
  if (text) {
    next = {0, std::make_shared<const std::string>(std::move(*text)), expires};
    const std::size_t base = changes_.replaces ? 0 : cells_.copied_bytes();
    if (base + weight(changes_.writes) + weight(key, next) > cells_.limit_bytes()) {
      return Put::kFull;
    }
  }
  write(key, std::move(next));
  return Put::kDone;
}

Put Transaction::replace(const Cells& cells) {
  if (weight(cells) > cells_.limit_bytes()) {
    return Put::kFull;
  }
  changes_.writes.clear();
  changes_.reads.clear();
  changes_.replaces = true;
  for (const auto& [key, cell] : cells) {
    write(key, cell);
  }
  return Put::kDone;
}

// A response that depends on all cells, or on there being none, holds only while the session is as
// it was. A count of a limit or a step of a scenario does not rest on the list that the request
// shows.
bool Transaction::rests_on_all() const {
  return saw_nothing_ || (saw_all_ && std::ranges::any_of(changes_.writes, [](const auto& entry) {
                            return change_of_cell(entry.first) == Change::kRecords;
                          }));
}

bool Transaction::commit() {
  changes_.needs_base = !changes_.replaces && rests_on_all();
  return cells_.commit(changes_);
}

RequestScope::RequestScope() {
  scope_of_thread = this;
}

RequestScope::~RequestScope() {
  drop();
  scope_of_thread = nullptr;
}

RequestScope* RequestScope::current() {
  return scope_of_thread;
}

Transaction* RequestScope::transaction() {
  return scope_of_thread != nullptr && scope_of_thread->transaction_
             ? &*scope_of_thread->transaction_
             : nullptr;
}

Transaction* RequestScope::transaction_of(const SharedCells& cells) {
  Transaction* const open = transaction();
  return open != nullptr && open->concerns(cells) ? open : nullptr;
}

void RequestScope::take_turn(const std::shared_ptr<SharedCells>& cells) {
  if (cells == nullptr || turn_.owns_lock() || (tries_ == 0 && !cells->is_contended())) {
    return;
  }
  turn_of_ = cells;
  turn_ = std::unique_lock(cells->turn(), kMaxTurn);
  if (!turn_.owns_lock()) {
    throw Unavailable("too many requests change this session; try again soon");
  }
}

void RequestScope::begin(std::shared_ptr<SharedCells> cells) {
  transaction_.reset();
  cells_ = std::move(cells);
  transaction_.emplace(*cells_);
}

void RequestScope::drop() {
  transaction_.reset();
  if (turn_.owns_lock()) {
    turn_.unlock();
  }
  turn_ = {};
  turn_of_.reset();
  cells_.reset();
}

Commit RequestScope::commit() {
  if (!transaction_ || transaction_->commit()) {
    drop();
    return Commit::kDone;
  }
  cells_->note_contention();
  transaction_.reset();
  if (++tries_ >= kMaxTries) {
    drop();
    return Commit::kGivenUp;
  }
  pause(tries_);
  return Commit::kAgain;
}

}  // namespace mock_server::state::shared
