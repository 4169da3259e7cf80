#pragma once

// One caller's data: its records, its clock, seed, scenarios and rate limits, all of it in
// cells that change only by compare-and-set; and copies of them by name (snapshots). Where cells
// are kept, it does not know. Safe from any thread.

#include "mock_server/state/cell_store.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/changes.hpp"
#include "mock_server/state/clock.hpp"
#include "mock_server/state/memory_cells.hpp"
#include "spec/non_copyable.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::state {

// What became of the changes of a request: kept; not kept, since another request changed the same
// before, and to be made again; not kept, and it was tried often.
enum class Commit : std::uint8_t { kDone, kAgain, kGivenUp };

class Session : spec::NonCopyable {
 public:
  static constexpr std::size_t kMaxSnapshots = 100;

  // `budget` may be null: no bound.
  Session(std::string name, std::uint64_t serial, TimeSource source,
          std::shared_ptr<Budget> budget = nullptr, OpenCells open = open_in_memory);
  virtual ~Session() = default;

  // Opens again a snapshot that is kept already. Call it before other threads have the session.
  void reopen_snapshot(std::string_view name);

  // From now on changes are noted in `changes`. Call it before other threads have the session.
  void report_to(std::shared_ptr<Changes> changes) { changes_ = std::move(changes); }

  // The name that callers use; "" is the default session.
  const std::string& name() const { return name_; }

  // Never used twice in one process, not even for the same name.
  std::uint64_t serial() const { return serial_; }

  Cell read(std::string_view key) const;
  // Sets the cell, or removes it when there is no text, if its version still is `expected`. From
  // `expires` on (by the session's clock) the cell may be dropped.
  Put compare_and_set(std::string_view key, std::uint64_t expected, std::optional<std::string> text,
                      std::optional<TimePoint> expires = std::nullopt);
  Cells cells() const;
  // Those whose key starts with `prefix`.
  Cells cells(std::string_view prefix) const;

  // How many changes this thread has made, in any session.
  static std::uint64_t changes_of_thread();

  // True when nothing was changed: every read() would find nothing.
  bool is_untouched() const { return cell_count() == 0; }

  std::size_t cell_count() const { return cells_->count(); }

  // The session's time: the machine's unless its clock was moved.
  TimePoint now() const { return is_untouched() ? source_() : clock().now(source_()); }

  TimePoint machine_now() const { return source_(); }

  ClockSetting clock() const;
  // Keeps `setting`, if the cell that it rests on still has version `expected`.
  Put set_clock(std::uint64_t expected, const ClockSetting& setting);

  static constexpr std::string_view kClockCell = "clock";

  // Makes `cells` the session's own; snapshots stay. kFull leaves everything as it was.
  Put replace(const Cells& cells);

  // Ends a request: keeps what it changed here, if that is not done yet. In this process every
  // change is made at once. May throw Unavailable.
  virtual Commit commit() { return Commit::kDone; }

  // Copies by name: made or made anew, put back, dropped. Nothing, or false, when there is none of
  // that name.
  virtual Put take_snapshot(std::string_view name);
  virtual std::optional<Put> restore_snapshot(std::string_view name);
  virtual bool drop_snapshot(std::string_view name);
  virtual std::vector<std::string> snapshots() const;
  // The cells of one.
  virtual std::optional<Cells> snapshot(std::string_view name) const;

 private:
  void note(Change change) const;
  Put noted_if_done(Put put, Change change) const;

  const std::string name_;
  const std::uint64_t serial_;
  const TimeSource source_;
  const std::shared_ptr<Budget> budget_;
  const OpenCells open_;
  const std::unique_ptr<CellStore> cells_;
  std::shared_ptr<Changes> changes_;  // may be null
  mutable std::mutex mutex_;          // of the snapshots
  std::map<std::string, std::unique_ptr<CellStore>, std::less<>> snapshots_;
};

}  // namespace mock_server::state
