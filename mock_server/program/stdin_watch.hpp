#pragma once

// Ends the program when its standard input closes: whoever started it holds the other end, and the
// system closes that end however the holder ends. What is read is thrown away. An empty or closed
// standard input, /dev/null for instance, ends the program at once.

#include "spec/non_copyable.hpp"

#include <thread>

namespace mock_server::program {

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
