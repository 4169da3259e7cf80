#pragma once

// When a request may go out: so many a second, so many in all, until so late, not while a server
// has asked to wait, and none once the run is interrupted. Whatever is sent to the server is asked
// for here. For each change one request is kept back, which puts the record back. Shared by the
// workers; safe from any thread.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace contract_tests::run {

struct PaceLimits {
  double per_second = 0;         // 0: as fast as answers come
  std::size_t requests = 0;      // 0: no bound
  std::size_t spent = 0;         // of them, before the run had a pace
  std::chrono::seconds time{0};  // of the whole run; 0: no bound
  // How long the run may wait in all because a server asked it to, or failed for the moment. Once
  // something was changed, a third of it is kept for putting back.
  std::chrono::milliseconds patience{30'000};
};

class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Pace(const PaceLimits& limits, Clock::time_point start = Clock::now());

  // Waits for the next request's turn and counts it. "" when it may go out; else why none may, in
  // words that say what to do.
  std::string admit();
  // The same question without waiting or counting: may another case begin?
  std::string closed() const;

  // Keeps so many requests back for when a change is to be undone; false when there would be none
  // left for the change itself.
  bool keep_back(std::size_t requests = 1);
  // So many requests that were kept back are not needed after all.
  void let_go(std::size_t requests = 1);
  // Waits for the turn of a request that was kept back, and counts it: it goes out even after the
  // end of the run, or an interruption.
  void admit_kept_back();
  // Waits for `wait`, then for the turn of one more try of such a request, and counts it. False
  // when no such wait, or no request, is left.
  bool admit_again(std::chrono::milliseconds wait);

  // How many requests went out.
  std::size_t sent() const;

  // The server asked to be left alone for `wait`: nothing goes out until then. False when that is
  // more than what is left of the run's patience or time; then nothing is changed.
  bool hold(std::chrono::milliseconds wait);
  // Sleeps; false when that is more than what is left of the run's patience, or when the run ends
  // or is interrupted meanwhile.
  bool sleep(std::chrono::milliseconds wait);

  // How long the run has waited so, and how long it may.
  std::chrono::milliseconds waited() const;

  std::chrono::milliseconds patience() const { return limits_.patience; }

  // When the run must end; the far future when it need not.
  Clock::time_point latest() const { return latest_; }

  // Safe from a signal handler.
  void interrupt() noexcept { interrupted_ = true; }

  bool is_interrupted() const { return interrupted_; }

 private:
  bool sleep_until(Clock::time_point until) const;

  // These two with the mutex held.
  bool used_up() const { return limits_.requests != 0 && sent_ + kept_ >= limits_.requests; }

  Clock::time_point next_turn();
  // What cases may still wait.
  std::chrono::milliseconds patience_of_cases() const;

  const PaceLimits limits_;
  const Clock::time_point latest_;
  mutable std::mutex mutex_;
  Clock::time_point next_;
  std::chrono::milliseconds patience_;
  std::size_t sent_ = 0;
  std::size_t kept_ = 0;  // back, for changes to be undone
  bool changes_ = false;  // something is, or was, to be undone
  std::atomic<bool> interrupted_ = false;
};

}  // namespace contract_tests::run
