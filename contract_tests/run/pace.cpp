#include "contract_tests/run/pace.hpp"

#include <algorithm>
#include <thread>

namespace contract_tests::run {

using std::chrono::milliseconds;

namespace {

constexpr const char* kInterrupted = "the run was interrupted";

Pace::Clock::time_point end_of(const PaceLimits& limits, Pace::Clock::time_point start) {
  return limits.time.count() == 0 ? Pace::Clock::time_point::max() : start + limits.time;
}

}  // namespace

Pace::Pace(const PaceLimits& limits, Clock::time_point start)
    : limits_(limits), latest_(end_of(limits, start)), next_(start), patience_(limits.patience) {}

std::string Pace::closed() const {
  if (interrupted_) {
    return kInterrupted;
  }
  if (Clock::now() >= latest_) {
    return "the time of the run is up (--deadline " + std::to_string(limits_.time.count()) + ")";
  }
  const std::lock_guard lock(mutex_);
  if (limits_.requests != 0 && sent_ >= limits_.requests) {
    return "the requests of the run are used up (--max-requests " +
           std::to_string(limits_.requests) + ")";
  }
  return {};
}

std::string Pace::admit() {
  auto why = closed();
  if (!why.empty()) {
    return why;
  }
  Clock::time_point turn;
  {
    const std::lock_guard lock(mutex_);
    ++sent_;
    turn = std::max(next_, Clock::now());
    if (limits_.per_second > 0) {
      const std::chrono::duration<double> gap(1 / limits_.per_second);
      next_ = turn + std::chrono::duration_cast<Clock::duration>(gap);
    }
  }
  if (turn >= latest_) {
    sleep_until(latest_);
    return closed();
  }
  return sleep_until(turn) ? "" : kInterrupted;
}

bool Pace::hold(milliseconds wait) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const auto until = now + wait;
  // Several workers are told so at once: the run stands still only once for that.
  const auto more = std::chrono::ceil<milliseconds>(until > next_ ? until - std::max(next_, now)
                                                                  : Clock::duration::zero());
  if (more > patience_ || until >= latest_) {
    return false;
  }
  patience_ -= more;
  next_ = std::max(next_, until);
  return true;
}

bool Pace::sleep(milliseconds wait) const {
  return sleep_until(Clock::now() + wait);
}

// In slices, so that an interruption is heard: a signal handler can wake nobody safely.
bool Pace::sleep_until(Clock::time_point until) const {
  constexpr milliseconds kSlice(50);
  while (!interrupted_) {
    const auto left = until - Clock::now();
    if (left <= Clock::duration::zero()) {
      return true;
    }
    std::this_thread::sleep_for(std::min<Clock::duration>(left, kSlice));
  }
  return false;
}

}  // namespace contract_tests::run
