#pragma once

// Rate limits of callers: fixed windows and token buckets, kept in a session's cells. Safe
// from any thread.

#include "mock_server/state/session_clock.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace mock_server::state {

class Session;

// Window: `requests` in each `window`, which starts with the first request in it. Bucket: `burst`
// at once, refilled by `requests` in each `window`.
struct RateLimit {
  std::uint64_t requests = 0;
  std::chrono::seconds window{1};
  std::uint64_t burst = 0;  // 0: a window

  bool is_bucket() const { return burst != 0; }

  friend bool operator==(const RateLimit&, const RateLimit&) = default;
};

struct RateDecision {
  bool allowed = true;
  std::uint64_t limit = 0;
  std::uint64_t remaining = 0;
  TimePoint reset_at;                   // when the window ends, or the bucket is full
  std::chrono::seconds retry_after{0};  // until a call is allowed again, rounded up, at least 1
};

// Counts one call of `key` by the session's clock and says whether it is within `limit`. A rejected
// call is not counted; of simultaneous calls no more than the limit's are allowed.
RateDecision take_rate(Session& session, std::string_view key, const RateLimit& limit);

}  // namespace mock_server::state
