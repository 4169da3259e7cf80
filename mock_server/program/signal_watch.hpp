#pragma once

// Handles the signals of a mock that serves: SIGTERM and SIGINT drain it, SIGHUP reloads, a second
// one ends the program. What comes within half a second is one signal: supervisors signal a process
// and its group, and npm passes on what the terminal sent already.

#include "mock_server/program/reload.hpp"
#include "mock_server/transport/listener.hpp"
#include "spec/non_copyable.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

namespace mock_server::program {

// For the last lines of the log, and to take all down.
inline constexpr std::chrono::milliseconds kAfterGrace{1'000};
inline constexpr std::chrono::milliseconds kOneSignal{500};

// Handles signals on a thread of its own. Threads made while it exists have them blocked, so it is
// made first; its methods say what a signal does.
class SignalWatch : spec::NonCopyable {
 public:
  SignalWatch();
  ~SignalWatch();

  // SIGTERM and SIGINT stop the listener. SIGHUP stops it if the terminal is gone (unless nohup
  // ignores that), otherwise it reloads.
  void listen(transport::Listener& listener, Reloader& reloader, std::chrono::milliseconds grace);
  // After the command of `run` has ended: a signal ends the drain.
  void stop_on_signal(transport::Listener& listener);
  // The program exits with `code` at the next signal, or after a short time.
  void exit_after_grace(int code);
  // The program exits with `code` at the next signal.
  void exit_on_signal(int code);

  // Done before an exit that does not wait for workers or a reload.
  void before_exit(std::function<void()> last) { last_ = std::move(last); }

  bool is_ending() const { return is_ending_.load(); }

  // Returns after the first stop was handled: the arguments of listen() are not used any more.
  void wait_until_stopped() const { has_stopped_.wait(false); }

 private:
  void watch(std::function<void(const std::stop_token&)> what);
  void end_watch();
  // Exits at a signal or after `time`, whatever a worker or a reload still does.
  void exit_at_signal_or_after(const std::stop_token& stop, std::chrono::milliseconds time,
                               int code) const;

  bool ends_with_terminal_ = false;
  std::atomic<bool> is_ending_{false};
  std::atomic<bool> has_stopped_{false};
  std::function<void()> last_;
  std::jthread thread_;
};

class StdinWatch : spec::NonCopyable {
 public:
  // Watches on a thread of its own; the end is a SIGTERM to this process.
  // Throws std::system_error if the system has no file descriptor left.
  StdinWatch();
  ~StdinWatch();

 private:
  void watch() const;

  int stop_;  // an eventfd: readable when the watch shall end
  std::jthread thread_;
};

}  // namespace mock_server::program
