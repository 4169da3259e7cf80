#pragma once

// The mock_server program as a child: started on a free port, known by the line it prints when it
// is ready, ended with the suite, even where the suite is killed.

#include "spec/result.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace contract_tests::program {

class DoubleProcess {
 public:
  DoubleProcess(const DoubleProcess&) = delete;
  DoubleProcess& operator=(const DoubleProcess&) = delete;
  DoubleProcess(DoubleProcess&& other) noexcept;
  DoubleProcess& operator=(DoubleProcess&&) = delete;
  // SIGTERM, and SIGKILL when that takes longer than a few seconds.
  ~DoubleProcess();

  // Starts `program` with `arguments` and waits for "listening on URL". Fails with words that name
  // the program and what it said.
  static spec::Result<DoubleProcess, std::string> start(
      const std::filesystem::path& program, std::vector<std::string> arguments,
      std::chrono::milliseconds patience = std::chrono::seconds(20));

  const std::string& url() const { return url_; }

 private:
  explicit DoubleProcess(pid_t process) : process_(process) {}

  pid_t process_;
  int output_ = -1;
  std::string url_;
};

}  // namespace contract_tests::program
