#include "mock_server/upstream/tests/front.hpp"

#include "spec/json/read.hpp"
#include "spec/tests/paths.hpp"

#include <nlohmann/json.hpp>

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

std::string response(int status, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) +
         " X\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

std::string field(const spec::http::ResponseRecord& record, std::string_view name) {
  return std::string(record.response.headers.find(name).value_or(""));
}

std::string served_by(const spec::http::ResponseRecord& record) {
  return field(record, "X-Counterpart-Served-By");
}

nlohmann::json body_of(const spec::http::ResponseRecord& record) {
  auto read = spec::json::read(record.response.body);
  return read ? *read : nlohmann::json(nullptr);
}

nlohmann::json newest(const Front& front, const std::string& session) {
  const nlohmann::json list = body_of(front.ask("GET", session + "/_mock/requests"));
  const auto requests = list.find("requests");
  return requests == list.end() || requests->empty() ? nlohmann::json::object() : requests->back();
}

}  // namespace mock_server::upstream::testing
