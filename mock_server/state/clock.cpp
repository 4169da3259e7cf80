#include "mock_server/state/clock.hpp"

#include "mock_server/state/numbers.hpp"

namespace mock_server::state {

using std::chrono::microseconds;

TimePoint system_now() {
  return std::chrono::time_point_cast<microseconds>(std::chrono::system_clock::now());
}

ClockSetting ClockSetting::set(TimePoint now, bool frozen, TimePoint machine) {
  return {now - machine, frozen ? std::optional(now) : std::nullopt};
}

ClockSetting ClockSetting::advanced(microseconds by) const {
  return {offset + by, frozen_at ? std::optional(*frozen_at + by) : std::nullopt};
}

std::string ClockSetting::text() const {
  return frozen_at ? write_numbers({offset.count(), frozen_at->time_since_epoch().count()})
                   : write_numbers({offset.count()});
}

ClockSetting ClockSetting::read(std::string_view text) {
  const auto numbers = read_numbers(text);
  ClockSetting setting;
  if (!numbers.empty()) {
    setting.offset = microseconds(numbers[0]);
  }
  if (numbers.size() > 1) {
    setting.frozen_at = TimePoint(microseconds(numbers[1]));
  }
  return setting;
}

}  // namespace mock_server::state
