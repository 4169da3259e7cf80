#pragma once

// The real program as a child process: started with flags, listened to on both outputs, talked to
// over a raw socket, ended with a signal.

#include "spec/http/response_parser.hpp"
#include "spec/process/child.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace mock_server::tests {

class ServerProcess {
 public:
  struct Start {
    std::string program;
    std::vector<std::string> flags;
    std::vector<std::pair<std::string, std::string>> environment;
    std::string folder;  // working directory; outputs are kept here
  };

  explicit ServerProcess(const Start& start);

  // Waits for "listening on URL"; false when it ended, or `patience` was over, before that.
  bool wait_until_listening(std::chrono::seconds patience);
  // Sends `bytes` on a connection of its own and reads the response until the connection ends.
  // Precondition: it listens.
  spec::http::ResponseRecord exchange(std::string_view method, std::string_view bytes) const;
  // Asks it to end; gives the exit code, or -1 when it did not end properly in time.
  int terminate();
  // Waits for it to end by itself; -1 when it does not in time.
  int wait_for_exit(std::chrono::seconds patience);

  int port() const { return port_; }

  pid_t pid() const { return child_.id(); }

  // Its memory as /proc says it: "VmRSS:" (now), "VmHWM:" (at most so far).
  std::size_t memory_bytes(std::string_view field = "VmRSS:") const;

  std::string output() const;
  std::string errors() const;

 private:
  std::string folder_;
  spec::process::Child child_;
  int port_ = 0;
};

}  // namespace mock_server::tests
