#pragma once

// The mock_server program as a child process: started on a free port, ready when it prints its
// address, ended with the suite, also when the suite is killed.

#include "spec/process/child.hpp"
#include "spec/result.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::program::setup {

class MockProcess {
 public:
  MockProcess(const MockProcess&) = delete;
  MockProcess& operator=(const MockProcess&) = delete;
  MockProcess(MockProcess&& other) noexcept;
  MockProcess& operator=(MockProcess&&) = delete;
  // SIGTERM, and SIGKILL when that takes longer than a few seconds.
  ~MockProcess();

  // Starts `program` with `arguments`, without the variables that are its flags, and waits for
  // "listening on URL". The error names the program and has what it wrote.
  static spec::Result<MockProcess, std::string> start(
      const std::filesystem::path& program, std::vector<std::string> arguments,
      std::chrono::milliseconds patience = std::chrono::seconds(20));

  const std::string& url() const { return url_; }

 private:
  MockProcess(spec::process::Child process, int output)
      : process_(std::move(process)), output_(output) {}

  spec::process::Child process_;
  int output_;
  std::string url_;
};

}  // namespace contract_tests::program::setup
