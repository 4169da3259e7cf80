#include "mock_server/transport/transport_clock.hpp"

#include "spec/time/instant.hpp"

namespace mock_server::transport {

std::string_view DateText::now() {
  // The coarse clock is read without a system call and is right to a few milliseconds.
  timespec time{};
  clock_gettime(CLOCK_REALTIME_COARSE, &time);
  if (time.tv_sec != second_) {  // the system's clock ends in 2262
    text_ = spec::time::format_http_date(time.tv_sec);
    second_ = time.tv_sec;
  }
  return text_;
}

}  // namespace mock_server::transport
