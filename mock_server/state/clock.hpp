#pragma once

// Time as the double sees it. Everything that depends on time asks a session's clock, which is the
// machine's until the control API moves it. Safe from any thread.

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

namespace mock_server::state {

using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;
using TimeSource = std::function<TimePoint()>;

// The machine's clock.
TimePoint system_now();

class Clock {
 public:
  explicit Clock(TimeSource source) : source_(std::move(source)) {}

  TimePoint now() const;
  // Makes `now` the time, running on from there, or standing still when `frozen`.
  void set(TimePoint now, bool frozen);
  // Moves the time on (or back, when negative), running or frozen as before.
  void advance(std::chrono::microseconds by);
  bool is_frozen() const;
  // The machine's time again.
  void reset();

 private:
  TimeSource source_;
  mutable std::mutex mutex_;
  std::chrono::microseconds offset_{0};
  std::optional<TimePoint> frozen_at_;
};

}  // namespace mock_server::state
