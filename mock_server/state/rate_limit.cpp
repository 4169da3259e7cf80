#include "mock_server/state/rate_limit.hpp"

#include <algorithm>

namespace mock_server::state {
namespace {

constexpr std::size_t kManyWindows = 4096;

std::chrono::seconds until(TimePoint end, TimePoint now) {
  const auto left = std::chrono::ceil<std::chrono::seconds>(end - now);
  return std::max(left, std::chrono::seconds{1});
}

}  // namespace

RateDecision RateLimiter::take(std::string_view key, const RateLimit& limit, TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (windows_.size() >= kManyWindows) {
    forget_old(now);
  }
  Window& window = windows_[std::string(key)];
  // A clock that was set back starts a new window too.
  if (now >= window.end || now < window.start) {
    window = {now, now + limit.window, 0};
  }
  const bool allowed = window.count < limit.requests;
  window.count += allowed ? 1 : 0;
  return {allowed, limit.requests, limit.requests - std::min(window.count, limit.requests),
          window.end, until(window.end, now)};
}

RateDecision RateLimiter::look(std::string_view key, const RateLimit& limit, TimePoint now) const {
  const std::lock_guard lock(mutex_);
  const auto found = windows_.find(std::string(key));
  if (found == windows_.end() || now >= found->second.end || now < found->second.start) {
    return {limit.requests > 0, limit.requests, limit.requests, now + limit.window,
            until(now + limit.window, now)};
  }
  const Window& window = found->second;
  const std::uint64_t used = std::min(window.count, limit.requests);
  return {used < limit.requests, limit.requests, limit.requests - used, window.end,
          until(window.end, now)};
}

void RateLimiter::reset() {
  const std::lock_guard lock(mutex_);
  windows_.clear();
}

void RateLimiter::forget_old(TimePoint now) {
  std::erase_if(windows_, [&](const auto& entry) { return now >= entry.second.end; });
  if (windows_.size() >= kManyWindows) {
    windows_.clear();
  }
}

}  // namespace mock_server::state
