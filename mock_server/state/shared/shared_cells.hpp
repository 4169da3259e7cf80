#pragma once

// Cells in Redis, with a copy here of what they were when a request last began or changed them.
// Reads come from the copy; a change compares and sets in Redis: at once, or with the others of the
// request that this thread works on (transaction.hpp). Safe from any thread.

#include "mock_server/state/cells.hpp"
#include "mock_server/state/shared/redis.hpp"
#include "mock_server/state/shared/transaction.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

namespace mock_server::state::shared {

class SharedCells final : public CellStore {
 public:
  // `owner` is the session whose `serial` must still be the same for a change to be kept.
  SharedCells(Redis& redis, std::string name, std::string owner, std::uint64_t serial,
              std::size_t limit_bytes, std::size_t journal_bytes);

  std::size_t count() const override;
  Cell read(std::string_view key) const override;
  Cells all() const override;
  Cells starting_with(std::string_view prefix) const override;
  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires, TimePoint now) override;
  Put replace(const Cells& cells) override;

  // Makes all changes at once. False if one of the cells that were read is another by now, or the
  // session, if that was needed. Throws Unavailable, which leaves open whether it was done.
  bool commit(const ChangeSet& changes);

  // The version of the copy, here and below; 0 if it was never loaded, or there are no cells.
  std::uint64_t version() const;

  std::size_t copied_count() const { return count_.load(std::memory_order_acquire); }

  std::size_t copied_bytes() const;
  Cell copied(std::string_view key) const;
  Cells copied_all() const;

  std::size_t limit_bytes() const { return limit_bytes_; }

  // Takes the reply of Redis (cell, text, cell, text ...): all of them, or those that are others
  // than in `base`, and nothing for one that is gone.
  void take_all(std::uint64_t version, const std::vector<Value>& cells);
  void take_changes(std::uint64_t base, std::uint64_t version, const std::vector<Value>& cells);
  // Takes what Redis has now.
  void load();

  // Requests of this process lost races for these cells a moment ago.
  bool is_contended() const;
  void note_contention();

  std::timed_mutex& turn() { return turn_; }

 private:
  // Drops the cells whose time is over.
  void expire(TimePoint now);
  Put change_now(ChangeSet changes);
  void note_change(const ChangeSet& changes, std::uint64_t before, std::uint64_t after);
  void put(std::string_view key, Cell cell);

  Redis& redis_;
  const std::string name_;
  const std::string owner_;
  const std::uint64_t serial_;
  const std::size_t limit_bytes_;
  const std::size_t journal_bytes_;
  mutable std::mutex mutex_;
  Cells cells_;  // guarded by mutex_, as
  std::uint64_t version_ = 0;
  std::size_t bytes_ = 0;
  std::atomic<std::size_t> count_{0};
  std::atomic<std::chrono::steady_clock::rep> contended_until_{0};
  std::timed_mutex turn_;
};

// The words for a cell's time and text.
std::string expiry_text(const std::optional<TimePoint>& expires);

}  // namespace mock_server::state::shared
