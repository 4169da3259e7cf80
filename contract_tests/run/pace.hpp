#pragma once

// Decides when a request may be sent: a number per second, a number in all, a deadline, not while
// the server has asked to wait, and none once the run is interrupted. Every request asks here
// first. For each change one request is reserved to undo it. Shared by the workers; safe from any
// thread.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace contract_tests::run {

struct PaceLimits {
  double per_second = 0;         // 0: no limit
  std::size_t requests = 0;      // 0: no bound
  std::size_t spent = 0;         // sent before the run started
  std::chrono::seconds time{0};  // of the whole run; 0: no bound
  // The total time that the run may wait because a server asked for it or had a gateway error.
  // After the first change a third of it is reserved to undo changes.
  std::chrono::milliseconds max_wait{30'000};
};

class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Pace(const PaceLimits& limits, Clock::time_point start = Clock::now());

  // Waits for the next request's turn and counts it. "" when it may be sent; else why not.
  std::string admit();
  // Empty if another case may begin, else why not: the result of admit() without waiting or
  // counting.
  std::string closed() const;

  // Reserves requests to undo a change; false when none would be left for the change itself.
  bool reserve(std::size_t requests = 1);
  // Gives reserved requests back.
  void release(std::size_t requests = 1);
  // Waits for the turn of a reserved request and counts it: it may be sent even after the deadline
  // or an interruption.
  void admit_reserved();
  // Waits for `wait`, then for the turn of a retry of such a request, and counts it. False when no
  // wait or no request is left.
  bool admit_again(std::chrono::milliseconds wait);

  // The number of requests sent.
  std::size_t sent() const;

  // The server asked to wait: nothing is sent until then. False, without effect, when that is
  // longer than the wait or time that the run has left.
  bool hold(std::chrono::milliseconds wait);
  // Sleeps; false when that is more than what is left of the time to wait, or when the run ends
  // or is interrupted meanwhile.
  bool sleep(std::chrono::milliseconds wait);

  // How long a stream that goes on may be read yet: the first ones of a path say most, and others
  // of it are read only briefly, so that all together take two seconds.
  std::chrono::milliseconds watch_of(std::string_view path) const;
  // A stream of it was read for so long.
  void note_watched(std::string_view path, std::chrono::milliseconds time);

  // The time that the run has waited for the server, and may wait.
  std::chrono::milliseconds waited() const;

  std::chrono::milliseconds max_wait() const { return limits_.max_wait; }

  // The time when the run must end; the far future if it need not.
  Clock::time_point latest() const { return latest_; }

  // The run has ended a second ago: no more work is done on responses.
  bool is_overdue() const { return Clock::now() - std::chrono::seconds(1) > latest_; }

  // The time by which the response must have come to a request that changes something, or that
  // undoes a change: some seconds after the deadline, because a created record can be removed only
  // if the response names it.
  Clock::time_point latest_of_change() const;

  // Safe from a signal handler.
  void interrupt() noexcept { interrupted_ = true; }

  bool is_interrupted() const { return interrupted_; }

 private:
  bool sleep_until(Clock::time_point until) const;

  // These two with the mutex held.
  bool used_up() const { return limits_.requests != 0 && sent_ + kept_ >= limits_.requests; }

  Clock::time_point next_turn();
  // The time that cases may still wait.
  std::chrono::milliseconds max_wait_of_cases() const;

  const PaceLimits limits_;
  const Clock::time_point latest_;
  mutable std::mutex mutex_;
  Clock::time_point next_;
  std::chrono::milliseconds remaining_wait_;
  std::map<std::string, std::chrono::milliseconds, std::less<>> watched_;  // of streams, by path
  std::size_t sent_ = 0;
  std::size_t kept_ = 0;  // reserved to undo changes
  bool changes_ = false;  // there was a change
  std::atomic<bool> interrupted_ = false;
};

}  // namespace contract_tests::run
