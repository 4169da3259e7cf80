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
    : limits_(limits),
      latest_(end_of(limits, start)),
      next_(start),
      remaining_wait_(limits.max_wait),
      sent_(limits.spent) {
  if (sent_ > 0) {
    next_turn();  // the next request keeps its distance from those
  }
}

std::string Pace::closed() const {
  if (interrupted_) {
    return kInterrupted;
  }
  if (Clock::now() >= latest_) {
    return "the run reached --deadline (" + std::to_string(limits_.time.count()) + " s)";
  }
  const std::lock_guard lock(mutex_);
  return used_up() ? "the run reached --max-requests (" + std::to_string(limits_.requests) + ")"
                   : "";
}

Pace::Clock::time_point Pace::next_turn() {
  const auto turn = std::max(next_, Clock::now());
  if (limits_.per_second > 0) {
    const std::chrono::duration<double> gap(1 / limits_.per_second);
    next_ = turn + std::chrono::duration_cast<Clock::duration>(gap);
  }
  return turn;
}

std::string Pace::admit() {
  while (true) {
    auto why = closed();
    if (!why.empty()) {
      return why;
    }
    Clock::time_point turn;
    {
      const std::lock_guard lock(mutex_);
      if (used_up()) {
        continue;  // another worker was quicker
      }
      ++sent_;
      turn = next_turn();
    }
    if (sleep_until(std::min(turn, latest_)) && turn < latest_) {
      return {};
    }
    {
      const std::lock_guard lock(mutex_);
      --sent_;
    }
    return closed();
  }
}

bool Pace::reserve(std::size_t requests) {
  const std::lock_guard lock(mutex_);
  if (limits_.requests != 0 && sent_ + kept_ + requests + 1 > limits_.requests) {
    return false;
  }
  kept_ += requests;
  changes_ = true;
  return true;
}

void Pace::release(std::size_t requests) {
  const std::lock_guard lock(mutex_);
  kept_ -= requests;
}

void Pace::admit_reserved() {
  Clock::time_point turn;
  {
    const std::lock_guard lock(mutex_);
    --kept_;
    ++sent_;
    turn = next_turn();
  }
  std::this_thread::sleep_until(turn);
}

bool Pace::admit_again(milliseconds wait) {
  Clock::time_point turn;
  {
    const std::lock_guard lock(mutex_);
    if (wait > remaining_wait_ || used_up()) {
      return false;
    }
    remaining_wait_ -= wait;
    next_ = std::max(next_, Clock::now() + wait);
    ++sent_;
    turn = next_turn();
  }
  std::this_thread::sleep_until(turn);
  return true;
}

std::size_t Pace::sent() const {
  const std::lock_guard lock(mutex_);
  return sent_;
}

Pace::Clock::time_point Pace::latest_of_change() const {
  constexpr std::chrono::seconds kGrace(5);
  return limits_.time.count() == 0 ? latest_ : std::max(latest_, Clock::now()) + kGrace;
}

bool Pace::hold(milliseconds wait) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const auto until = now + wait;
  // Several workers may get this at once: the run waits only once.
  const auto more = std::chrono::ceil<milliseconds>(until > next_ ? until - std::max(next_, now)
                                                                  : Clock::duration::zero());
  if (more > max_wait_of_cases() || until >= latest_) {
    return false;
  }
  remaining_wait_ -= more;
  next_ = std::max(next_, until);
  return true;
}

bool Pace::sleep(milliseconds wait) {
  const auto until = Clock::now() + wait;
  {
    const std::lock_guard lock(mutex_);
    if (wait > max_wait_of_cases() || until >= latest_) {
      return false;
    }
    remaining_wait_ -= wait;
  }
  return sleep_until(until);
}

milliseconds Pace::waited() const {
  const std::lock_guard lock(mutex_);
  return limits_.max_wait - remaining_wait_;
}

milliseconds Pace::max_wait_of_cases() const {
  return changes_ ? remaining_wait_ - limits_.max_wait / 3 : remaining_wait_;
}

// In slices, because a signal handler cannot wake a waiting thread safely.
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

std::chrono::milliseconds Pace::watch_of(std::string_view path) const {
  constexpr std::chrono::milliseconds kEnough(1'000);
  constexpr std::chrono::milliseconds kBriefly(20);
  const std::lock_guard lock(mutex_);
  const auto watched = watched_.find(path);
  return watched == watched_.end() || watched->second < kEnough ? std::chrono::milliseconds::max()
                                                                : kBriefly;
}

void Pace::note_watched(std::string_view path, std::chrono::milliseconds time) {
  const std::lock_guard lock(mutex_);
  watched_[std::string(path)] += time;
}

}  // namespace contract_tests::run
