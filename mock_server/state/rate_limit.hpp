#pragma once

// How often a caller may call: fixed windows, counted in memory. Bounded: windows that are over are
// forgotten when there are many. Safe from any thread.

#include "mock_server/state/clock.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mock_server::state {

// `requests` in each window of `window`, which starts with the first request in it.
struct RateLimit {
  std::uint64_t requests = 0;
  std::chrono::seconds window{1};

  friend bool operator==(const RateLimit&, const RateLimit&) = default;
};

struct RateDecision {
  bool allowed = true;
  std::uint64_t limit = 0;
  std::uint64_t remaining = 0;
  TimePoint reset_at;                   // when the window ends
  std::chrono::seconds retry_after{0};  // until then, rounded up, at least 1
};

class RateLimiter {
 public:
  // Counts one call of `key` and says whether it is within `limit`. A refused call is not counted.
  RateDecision take(std::string_view key, const RateLimit& limit, TimePoint now);
  // What take() would say, without counting.
  RateDecision look(std::string_view key, const RateLimit& limit, TimePoint now) const;
  void reset();

 private:
  struct Window {
    TimePoint start;
    TimePoint end;
    std::uint64_t count = 0;
  };

  void forget_old(TimePoint now);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Window> windows_;
};

}  // namespace mock_server::state
