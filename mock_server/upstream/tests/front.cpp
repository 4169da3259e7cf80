#include "mock_server/upstream/tests/front.hpp"

#include "spec/tests/paths.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

namespace mock_server::upstream::testing {

namespace {

constexpr std::chrono::seconds kPatience{60};

tests::ServerProcess::Start start_of(const std::string& url, std::vector<std::string> flags,
                                     int port, const std::string& folder) {
  std::vector<std::string> all{"--port", std::to_string(port), "--upstream", url};
  all.insert(all.end(), flags.begin(), flags.end());
  return {.program = test_paths::mock_server(), .flags = all, .environment = {}, .folder = folder};
}

}  // namespace

Front::Front(const std::string& url, std::vector<std::string> flags, int port)
    : server_(start_of(url, std::move(flags), port, folder_.path())) {
  if (!server_.wait_until_listening(kPatience)) {
    throw std::runtime_error("the mock does not listen: " + server_.errors());
  }
}

spec::http::ResponseRecord Front::ask(const std::string& method, const std::string& target,
                                      const std::string& fields, const std::string& body) const {
  std::string bytes =
      method + ' ' + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  if (!body.empty()) {
    bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  bytes.append(fields).append("\r\n").append(body);
  return server_.exchange(method, bytes);
}

}  // namespace mock_server::upstream::testing
