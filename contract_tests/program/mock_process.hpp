#pragma once

// The mock_server program as a child: started on a free port, known by the line it prints when it
// is ready, ended with the suite, even where the suite is killed.

#include "spec/process/child.hpp"
#include "spec/result.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::program {

class MockProcess {
 public:
  MockProcess(const MockProcess&) = delete;
  MockProcess& operator=(const MockProcess&) = delete;
  MockProcess(MockProcess&& other) noexcept;
  MockProcess& operator=(MockProcess&&) = delete;
  // SIGTERM, and SIGKILL when that takes longer than a few seconds.
  ~MockProcess();

  // Starts `program` with `arguments` and waits for "listening on URL". Fails with words that name
  // the program and what it said.
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

}  // namespace contract_tests::program
