#include "mock_server/state/clock.hpp"

namespace mock_server::state {

TimePoint system_now() {
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

TimePoint Clock::now() const {
  const std::lock_guard lock(mutex_);
  return frozen_at_ ? *frozen_at_ : source_() + offset_;
}

void Clock::set(TimePoint now, bool frozen) {
  const std::lock_guard lock(mutex_);
  offset_ = now - source_();
  frozen_at_ = frozen ? std::optional(now) : std::nullopt;
}

void Clock::advance(std::chrono::microseconds by) {
  const std::lock_guard lock(mutex_);
  offset_ += by;
  if (frozen_at_) {
    *frozen_at_ += by;
  }
}

bool Clock::is_frozen() const {
  const std::lock_guard lock(mutex_);
  return frozen_at_.has_value();
}

void Clock::reset() {
  const std::lock_guard lock(mutex_);
  offset_ = std::chrono::microseconds{0};
  frozen_at_.reset();
}

}  // namespace mock_server::state
