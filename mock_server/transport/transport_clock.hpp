#pragma once

// The transport's clocks: monotonic time for deadlines, so that a jump of the system's clock harms
// nothing, and the text of the Date field, made once a second.

#include <chrono>
#include <ctime>
#include <string>
#include <string_view>

namespace mock_server::transport {

using SteadyClock = std::chrono::steady_clock;
using Time = SteadyClock::time_point;
using Milliseconds = std::chrono::milliseconds;

// Belongs to one thread.
class DateText {
 public:
  // "Sun, 06 Nov 1994 08:49:37 GMT" for now (RFC 9110 §5.6.7); valid until the next call.
  std::string_view now();

 private:
  std::time_t second_ = -1;
  std::string text_;
};

}  // namespace mock_server::transport
