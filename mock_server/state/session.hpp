#pragma once

// One caller's world: what it changed, its clock and its rate limits. State is a set of *cells*,
// texts by key with a version each, changed only by compare-and-set, so that a shared store could
// stand behind the same four verbs (read, compare-and-set, append, expire; appending is the
// journal's, expiry the store's). Safe from any thread.

#include "mock_server/state/clock.hpp"
#include "mock_server/state/rate_limit.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::state {

// A cell that was never set, or was reset, has version 0 and no text.
struct Cell {
  std::uint64_t version = 0;
  std::shared_ptr<const std::string> text;

  explicit operator bool() const { return text != nullptr; }
};

class Session {
 public:
  Session(std::string name, std::uint64_t serial, TimeSource source)
      : name_(std::move(name)), serial_(serial), clock_(std::move(source)) {}

  // The name that callers use; "" is the default session.
  const std::string& name() const { return name_; }

  // Never used twice in one process, not even for the same name.
  std::uint64_t serial() const { return serial_; }

  Cell read(std::string_view key) const;
  // Sets the cell if its version still is `expected`; false when another was quicker.
  bool compare_and_set(std::string_view key, std::uint64_t expected, std::string text);
  std::map<std::string, Cell, std::less<>> cells() const;

  // True when nothing was changed: every read() would find nothing. Costs one load.
  bool is_untouched() const { return cell_count_.load(std::memory_order_acquire) == 0; }

  Clock& clock() { return clock_; }

  const Clock& clock() const { return clock_; }

  RateLimiter& rates() { return rates_; }

  // Everything as at the start.
  void reset();

 private:
  const std::string name_;
  const std::uint64_t serial_;
  Clock clock_;
  RateLimiter rates_;
  mutable std::mutex mutex_;
  std::map<std::string, Cell, std::less<>> cells_;
  std::uint64_t next_version_ = 1;  // never goes back: a stale version fits nothing after a reset
  std::atomic<std::size_t> cell_count_{0};
};

}  // namespace mock_server::state
