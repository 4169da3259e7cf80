#pragma once

// Another program as a child process, which ends with the thread that starts it, even if that is
// killed by SIGKILL. For `mock_server run`, for the suite that starts its own mock, and for tests.
// Linux only. An object belongs to one thread.

#include "spec/result.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace spec::process {

// Exit codes for a command that could not run, as in a shell.
inline constexpr int kNotFound = 127;
inline constexpr int kNotRunnable = 126;

struct Command {
  std::vector<std::string> words;  // the program, found by PATH where it has no "/", and arguments
  // Changes to our environment; nothing as a value takes the variable out.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment = {};
  // File descriptors that become its standard input, output and error; -1: it has ours.
  int input = -1;
  int output = -1;
  int errors = -1;
  std::string folder = {};  // where it runs; "": where we do
  // Runs in the child last before the program: nothing that takes memory or a lock.
  std::function<void()> prepare = {};
};

// Why a program did not start.
struct StartFailure {
  int exit_code = kNotRunnable;  // or kNotFound
  std::string message;           // "/x/y: Permission denied"
};

class Child {
 public:
  // Starts it with no signal blocked and SIGPIPE at its default. Fails where it never ran.
  // Precondition: `command.words` is not empty.
  static Result<Child, StartFailure> start(const Command& command);

  Child(Child&& other) noexcept
      : id_(std::exchange(other.id_, -1)),
        ending_signal_(other.ending_signal_),
        peak_kilobytes_(other.peak_kilobytes_) {}

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child& operator=(Child&&) = delete;
  // Kills it if it still runs.
  ~Child();

  // -1 once its end is known.
  pid_t id() const { return id_; }

  void signal(int number) const;

  // Its exit code, or 128 + n when signal n ended it; nothing while it runs, or if this was
  // returned before. Waits no longer than `patience`.
  std::optional<int> end(std::chrono::milliseconds patience = std::chrono::milliseconds(0));

  // The signal that ended it, once its end is known; 0 where it ended by itself.
  int ending_signal() const { return ending_signal_; }

  // The most memory that it had, once its end is known.
  std::size_t peak_kilobytes() const { return peak_kilobytes_; }

  // True when it has ended; its exit code is still to be had.
  bool has_ended() const;

 private:
  explicit Child(pid_t id) : id_(id) {}

  pid_t id_;
  int ending_signal_ = 0;
  std::size_t peak_kilobytes_ = 0;
};

}  // namespace spec::process
