#pragma once

// The server under test: where the mock's program and our data are, the mock that is started for a
// run, and the path below which a service has its API.

#include "spec/contract/contract.hpp"
#include "spec/process/child.hpp"
#include "spec/result.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::program {

// The folder under which spec/, fixtures/ and contract_tests/ are found with the same relative
// paths: share/counterpart of an installation, else the source tree. Throws spec::LoadError.
std::filesystem::path find_data_root();

// The mock_server program: COUNTERPART_MOCK_SERVER, beside this one, or in its build tree.
std::optional<std::filesystem::path> find_mock_server();

// "/v1": the path of the server in `servers` of the whole document that has `host`, else of the
// first one; without a trailing "/". "" if there is none, where a variable without a default is
// in it, and where operations or paths have servers of their own with another path. Source:
// OpenAPI 3.1.0 §4.8.5, §4.8.6.
std::string base_path_of(const spec::contract::Contract& contract, std::string_view host);

// The mock_server program as a child process: started on a free port, ready when it prints its
// address, ended with the suite, also when the suite is killed.
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
      std::chrono::milliseconds timeout = std::chrono::seconds(20));

  const std::string& url() const { return url_; }

 private:
  MockProcess(spec::process::Child process, int output)
      : process_(std::move(process)), output_(output) {}

  spec::process::Child process_;
  int output_;
  std::string url_;
};

}  // namespace contract_tests::program
