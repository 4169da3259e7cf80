#pragma once

// A program run beside the test: its first line of output, its end, its signals.

#include "spec/process/child.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace mock_server::transport::testing {

using Environment = decltype(spec::process::Command::environment);

class Process {
 public:
  // Starts `arguments[0]`; `before` runs in the child before the program does.
  explicit Process(const std::vector<std::string>& arguments,
                   const std::function<void()>& before = {});
  // Starts it with these changes to our environment.
  Process(const std::vector<std::string>& arguments, Environment environment);
  // Kills it if it still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // The next line of its standard output, "" when it has none within a minute or has ended.
  std::string line();
  // Everything it still writes to standard error until its end.
  std::string errors();

  void signal(int number) const { child_.signal(number); }

  // Its exit status when it ends within `wait`; 128 + n when signal n ended it.
  std::optional<int> end(std::chrono::milliseconds wait = std::chrono::seconds(20)) {
    return child_.end(wait);
  }

  pid_t id() const { return child_.id(); }

 private:
  Process(spec::process::Command command, std::array<int, 2> output, std::array<int, 2> errors);

  spec::process::Child child_;
  int output_;
  int errors_;
  std::string unread_;
};

// The port in "listening on http://127.0.0.1:4010"; 0 when there is none.
int port_in(const std::string& line);

}  // namespace mock_server::transport::testing
