#include "mock_server/state/session_clock.hpp"

#include "mock_server/state/cells.hpp"

#include <chrono>

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

constexpr std::size_t kMicrosecondDigits = 6;

spec::time::Instant to_instant(TimePoint time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  std::string fraction = std::to_string((time - whole).count());
  fraction.insert(0, kMicrosecondDigits - fraction.size(), '0');
  fraction.resize(fraction.find_last_not_of('0') + 1);
  return {whole.time_since_epoch().count(), false, std::move(fraction), true};
}

TimePoint to_time(const spec::time::Instant& instant) {
  std::string fraction = instant.fraction.substr(0, kMicrosecondDigits);
  fraction.resize(kMicrosecondDigits, '0');
  return TimePoint(std::chrono::seconds(instant.seconds) +
                   std::chrono::microseconds(std::stol(fraction)));
}

std::string to_text(TimePoint time) {
  return spec::time::format_date_time(to_instant(time), {0, kMicrosecondDigits});
}

}  // namespace mock_server::state
