// Hostile servers, one data file each: the client ends in bounded time and memory and reports the
// problem.

#include "contract_tests/checks/wire.hpp"
#include "contract_tests/client/client.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "spec/tests/sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace contract_tests {
namespace {

using client::ClientLimits;
using nlohmann::json;

constexpr std::size_t kMegabyte = 1024U * 1024;
constexpr std::size_t kMemory = (spec::tests::kIsSanitized ? 600 : 96) * kMegabyte;

// Short where the response must come too late; otherwise so long that a busy machine does not look
// like a slow server.
ClientLimits limits(bool late) {
  ClientLimits limits;
  limits.connect = std::chrono::seconds(60);
  limits.first_byte = late ? std::chrono::milliseconds(800) : std::chrono::seconds(60);
  limits.whole = late ? std::chrono::milliseconds(1'600) : std::chrono::seconds(60);
  limits.stream = std::chrono::seconds(60);  // not waited for once an event has come
  limits.response.body_bytes = 2 * kMegabyte;
  limits.coding.max_bytes = 8 * kMegabyte;
  return limits;
}

std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      std::size_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  }
  return 0;
}

std::string listed(const checks::RuleViolations& violations) {
  std::string text;
  for (const auto& violation : violations) {
    text += violation.rule + ' ' + violation.place + ": " + violation.message().text() + '\n';
  }
  return text;
}

class Hostile : public testing::Test {
 public:
  explicit Hostile(json data) : data_(std::move(data)) {}

  void TestBody() override {
    const support::ScriptedServer server(
        {{.steps = data_.at("steps"), .deaf = data_.value("deaf", false)}});
    const client::Trust trust;
    const auto ending = data_.at("ending").get<std::string>();
    const auto bounds = limits(ending == "too late");
    client::Client client(client::parse_base_url(server.url()).value(), trust, bounds);
    spec::http::Request request;
    request.method = data_.value("method", "GET");
    request.target = "/customers/cus_1";
    request.headers.add("Accept-Encoding", "gzip, deflate, br");
    const auto before = peak_memory();
    const auto started = std::chrono::steady_clock::now();

    const auto exchange = client.send(std::move(request));

    const auto took = std::chrono::steady_clock::now() - started;
    const auto violations = checks::check_http(exchange);
    EXPECT_EQ(to_text(exchange.ending), ending) << exchange.failure;
    EXPECT_LT(took,
              ending == "left open" ? bounds.stream : bounds.whole + std::chrono::seconds(30));
    EXPECT_LT(peak_memory() - before, kMemory);
    const auto rule = data_.value("rule", "");
    const bool reported = std::ranges::any_of(
        violations, [&rule](const auto& violation) { return violation.rule == rule; });
    EXPECT_TRUE(rule.empty() ? violations.empty() : reported) << listed(violations);
  }

 private:
  json data_;
};

}  // namespace

void register_hostile_tests(plan::DataFiles& files) {
  support::register_folder(files, "hostile", [](const std::string& name, json data) {
    testing::RegisterTest("Hostile", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [data]() -> testing::Test* { return new Hostile(data); });
  });
}

}  // namespace contract_tests
