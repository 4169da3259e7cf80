#include "mock_server/transport/clock.hpp"

#include <cstdio>

namespace mock_server::transport {

std::string_view DateText::now() {
  // The coarse clock is read without a system call and is right to a few milliseconds.
  timespec time{};
  clock_gettime(CLOCK_REALTIME_COARSE, &time);
  if (time.tv_sec == second_) {
    return {text_.data(), size_};
  }
  second_ = time.tv_sec;
  static constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm parts{};
  gmtime_r(&second_, &parts);
  const int size = std::snprintf(text_.data(), text_.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                 kDays.at(static_cast<std::size_t>(parts.tm_wday)), parts.tm_mday,
                                 kMonths.at(static_cast<std::size_t>(parts.tm_mon)),
                                 parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
  size_ = size < 0 ? 0 : static_cast<std::size_t>(size);
  return {text_.data(), size_};
}

}  // namespace mock_server::transport
