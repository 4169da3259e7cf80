#pragma once

// Cells in memory whose every change also goes to the file.

#include "mock_server/state/disk/write_log.hpp"
#include "mock_server/state/memory_cells.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace mock_server::state::disk {

class LoggedCells final : public CellStore {
 public:
  // New ones. `log` must outlive them.
  LoggedCells(WriteLog& log, std::string name, std::uint64_t serial,
              const std::shared_ptr<Budget>& budget);
  // Those of the file.
  LoggedCells(WriteLog& log, const Owner& owner, Cells cells,
              const std::shared_ptr<Budget>& budget);
  ~LoggedCells() override;

  std::size_t count() const override { return shown(memory_.count()); }

  Cell read(std::string_view key) const override { return shown(memory_.read(key)); }

  Cells all() const override { return shown(memory_.all()); }

  Cells starting_with(std::string_view prefix) const override {
    return shown(memory_.starting_with(prefix));
  }

  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires, TimePoint now) override;
  Put replace(const Cells& cells) override;

 private:
  class Changing;

  WriteLog::GoBack go_back();

  // No client may see it before it is in the file. Costs two loads if it is.
  template <typename Value>
  Value shown(Value value) const {
    if (last_change_.load(std::memory_order_acquire) > log_.settled()) {
      wait_for_last_change();
    }
    return value;
  }

  void wait_for_last_change() const;
  Owner owner_at(std::uint64_t next_version) const;

  WriteLog& log_;
  MemoryCells memory_;
  const std::string name_;
  const std::uint64_t serial_;
  mutable std::mutex mutex_;                   // so that the log has changes in their order
  std::atomic<std::uint64_t> last_change_{0};  // its number; kChanging before it has one
  std::uint64_t owner_ = 0;
};

}  // namespace mock_server::state::disk
