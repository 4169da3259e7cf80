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
  std::vector<std::string> words;  // the program, found by PATH if it has no "/", and arguments
  // Changes to our environment; a variable without a value is removed.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment = {};
  // File descriptors that become its standard input, output and error; -1: it has ours.
  int input = -1;
  int output = -1;
  int errors = -1;
  std::string folder = {};  // its working directory; "": ours
  // Runs in the child right before the program: must not allocate or lock.
  std::function<void()> prepare = {};
};

// The reason why a program did not start.
struct StartFailure {
  int exit_code = kNotRunnable;  // or kNotFound
  std::string message;           // "/x/y: Permission denied"
};

class Child {
 public:
  // Starts the program with no signal blocked and SIGPIPE at its default. Fails if it never ran.
  // Precondition: `command.words` is not empty.
  static Result<Child, StartFailure> start(const Command& command);

  Child(Child&& other) noexcept
      : id_(std::exchange(other.id_, -1)),
        ending_signal_(other.ending_signal_),
        peak_kilobytes_(other.peak_kilobytes_) {}

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child& operator=(Child&&) = delete;
  // Kills the program if it still runs.
  ~Child();

  // -1 once the program has ended.
  pid_t id() const { return id_; }

  void signal(int number) const;

  // The exit code, or 128 + n if signal n ended it; none while it runs, or if this was returned
  // before. Waits no longer than `patience`.
  std::optional<int> end(std::chrono::milliseconds patience = std::chrono::milliseconds(0));

  // The signal that ended the program; 0 if it ended by itself.
  int ending_signal() const { return ending_signal_; }

  // The maximum of its memory, once it has ended.
  std::size_t peak_kilobytes() const { return peak_kilobytes_; }

  // True if it has ended; its exit code can still be read.
  bool has_ended() const;

 private:
  explicit Child(pid_t id) : id_(id) {}

  pid_t id_;
  int ending_signal_ = 0;
  std::size_t peak_kilobytes_ = 0;
};

}  // namespace spec::process
