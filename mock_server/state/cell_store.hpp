#pragma once

// The seam behind which state lies: where the cells of one session, or of one of its snapshots, are
// kept. In this process that is memory (memory_cells.hpp); a store that several processes share
// derives from this and takes its place, and nothing above it changes. Safe from any thread.

#include "mock_server/state/cells.hpp"
#include "mock_server/state/clock.hpp"
#include "spec/non_copyable.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::state {

class CellStore : spec::NonCopyable {
 public:
  virtual ~CellStore() = default;

  // How many cells there are; asked several times a request, so it must be quick.
  virtual std::size_t count() const = 0;
  virtual Cell read(std::string_view key) const = 0;
  virtual Cells all() const = 0;
  // Those whose key starts with `prefix`.
  virtual Cells starting_with(std::string_view prefix) const = 0;

  // Sets the cell, or removes it when there is no text, if its version still is `expected`. From
  // `expires` on it may be dropped; `now` is the session's time.
  virtual Put compare_and_set(std::string_view key, std::uint64_t expected,
                              std::optional<std::string> text, std::optional<TimePoint> expires,
                              TimePoint now) = 0;
  // Makes `cells` all there are, with versions that none ever had here, so that nothing that was
  // read before fits; kFull leaves everything as it was.
  virtual Put replace(const Cells& cells) = 0;
};

// Opens the cells that are kept under a name ("SESSION", "SESSION/SNAPSHOT") for the session of
// that serial. What they weigh counts towards the budget, which may be null: no bound.
using OpenCells = std::function<std::unique_ptr<CellStore>(
    std::string_view name, std::uint64_t serial, const std::shared_ptr<Budget>& budget)>;

}  // namespace mock_server::state
