#pragma once

// Cells in Redis, with a copy here of what they were when a request last began or changed them.
// Reads come from the copy; a change compares and sets in Redis. Safe from any thread.

#include "mock_server/state/cell_store.hpp"
#include "mock_server/state/shared/redis.hpp"

#include <atomic>
#include <mutex>
#include <string>

namespace mock_server::state::shared {

class SharedCells final : public CellStore {
 public:
  // `owner` is the session whose `serial` must still be the same for a change to be kept.
  SharedCells(Redis& redis, std::string name, std::string owner, std::uint64_t serial,
              std::size_t limit_bytes);

  std::size_t count() const override { return count_.load(std::memory_order_acquire); }

  Cell read(std::string_view key) const override;
  Cells all() const override;
  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires, TimePoint now) override;
  void expire(TimePoint now) override;
  Put replace(const Cells& cells) override;

  // Of the copy; 0: of no cells.
  std::uint64_t version() const;
  // Takes what Redis gave (cell, text, cell, text ...) unless the copy is newer already.
  void take(std::uint64_t version, const std::vector<Value>& cells);
  // Makes the copy what Redis has now.
  void load();

 private:
  Put note_change(std::string_view key, Cell next, std::uint64_t before, std::uint64_t after);

  Redis& redis_;
  const std::string name_;
  const std::string owner_;
  const std::uint64_t serial_;
  const std::size_t limit_bytes_;
  mutable std::mutex mutex_;
  Cells cells_;  // guarded by mutex_, as
  std::uint64_t version_ = 0;
  std::size_t bytes_ = 0;
  std::atomic<std::size_t> count_{0};
};

}  // namespace mock_server::state::shared
