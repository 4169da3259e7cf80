#pragma once

// Cells in memory whose every change also goes to the file.

#include "mock_server/state/disk/write_log.hpp"
#include "mock_server/state/memory_cells.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace mock_server::state::disk {

class LoggedCells final : public CellStore, public Restorable {
 public:
  // New ones. `log` must outlive them.
  LoggedCells(WriteLog& log, std::string name, std::uint64_t serial,
              const std::shared_ptr<Budget>& budget);
  // Those of the file.
  LoggedCells(WriteLog& log, const Owner& owner, Cells cells,
              const std::shared_ptr<Budget>& budget);
  ~LoggedCells() override;
  LoggedCells(const LoggedCells&) = delete;
  LoggedCells& operator=(const LoggedCells&) = delete;
  LoggedCells(LoggedCells&&) = delete;
  LoggedCells& operator=(LoggedCells&&) = delete;

  std::size_t count() const override { return memory_.count(); }

  Cell read(std::string_view key) const override { return memory_.read(key); }

  Cells all() const override { return memory_.all(); }

  Cells starting_with(std::string_view prefix) const override {
    return memory_.starting_with(prefix);
  }

  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires, TimePoint now) override;
  void expire(TimePoint now) override;
  Put replace(const Cells& cells) override;

  void go_back_to(const Cells& cells) override;

 private:
  Owner owner_at(std::uint64_t next_version) const;

  WriteLog& log_;
  MemoryCells memory_;
  const std::string name_;
  const std::uint64_t serial_;
  std::mutex mutex_;  // so that the log has changes in their order
  std::uint64_t owner_ = 0;
};

}  // namespace mock_server::state::disk
