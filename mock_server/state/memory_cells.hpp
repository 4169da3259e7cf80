#pragma once

// Cells in this process's memory: a map under one lock.

#include "mock_server/state/cells.hpp"

#include <atomic>
#include <mutex>

namespace mock_server::state {

class MemoryCells final : public CellStore {
 public:
  // `budget` may be null: no bound.
  explicit MemoryCells(std::shared_ptr<Budget> budget) : budget_(std::move(budget)) {}

  ~MemoryCells() override;

  // Costs one load.
  std::size_t count() const override { return count_.load(std::memory_order_acquire); }

  Cell read(std::string_view key) const override;
  Cells all() const override;
  Cells starting_with(std::string_view prefix) const override;
  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires, TimePoint now) override;
  Put replace(const Cells& cells) override;

  // Makes `cells` all there are, with the versions that they have; the next one is `next_version`.
  void restore(Cells cells, std::uint64_t next_version);
  // The version that the next change gives.
  std::uint64_t next_version() const;

 private:
  bool take_room(std::size_t now_bytes, std::size_t then_bytes);
  void drop_expired(TimePoint now);

  const std::shared_ptr<Budget> budget_;
  mutable std::mutex mutex_;
  Cells cells_;
  std::size_t bytes_ = 0;           // of the budget
  std::size_t sweep_at_ = 4096;     // cells: from here on look for expired ones
  std::uint64_t next_version_ = 1;  // never goes back
  std::atomic<std::size_t> count_{0};
};

// An OpenCells.
std::unique_ptr<CellStore> open_in_memory(std::string_view name, std::uint64_t serial,
                                          const std::shared_ptr<Budget>& budget);

}  // namespace mock_server::state
