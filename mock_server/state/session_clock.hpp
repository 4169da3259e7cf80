#pragma once

// Time as the mock sees it. Everything that depends on time asks its session, whose time is the
// machine's until the control API moves it. Plain values.

#include "spec/time/instant.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::state {

using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;
using TimeSource = std::function<TimePoint()>;

// The machine's clock.
TimePoint system_now();

// The difference between a session's time and the machine's.
struct ClockSetting {
  std::chrono::microseconds offset{0};
  std::optional<TimePoint> frozen_at;

  TimePoint now(TimePoint machine) const { return frozen_at ? *frozen_at : machine + offset; }

  // Makes `now` the time, running on from there, or standing still when `frozen`.
  static ClockSetting set(TimePoint now, bool frozen, TimePoint machine);
  // The time moved on (or back, when negative), running or frozen as before.
  ClockSetting advanced(std::chrono::microseconds by) const;

  // For the cell that a session keeps it in; what is no such text reads as the machine's time.
  std::string text() const;
  static ClockSetting read(std::string_view text);

  friend bool operator==(const ClockSetting&, const ClockSetting&) = default;
};

// A session's time as an instant of spec/time, for conditions and for texts that people read.

spec::time::Instant to_instant(TimePoint time);

// Finer parts of the second than a session's time has are cut.
TimePoint to_time(const spec::time::Instant& instant);

// "2026-01-31T12:00:00.123456Z", always six fraction digits.
std::string to_text(TimePoint time);

}  // namespace mock_server::state
