// The program in front of a service that is slow, or sends more than it seems.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/eventually.hpp"
#include "mock_server/upstream/tests/front.hpp"
#include "mock_server/upstream/tests/stand_in.hpp"
#include "spec/http/tests/gzip.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/sanitized.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::upstream {
namespace {

using testing::End;
using testing::Front;
using ::testing::HasSubstr;
using testing::kCustomer;
using testing::kToken;
using testing::newest;
using testing::response;
using testing::served_by;
using testing::StandIn;
using transport::testing::Client;
using transport::testing::Wait;

std::string compressed_json(const std::string& json) {
  const std::string body = spec::http::gzip(json);
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
         "Content-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

// Its service sends nothing at all, and 200 clients wait for it.
TEST(SlowService, a_dead_service_delays_nobody_else) {
  constexpr int kClients = 200;
  constexpr std::chrono::milliseconds kQuick{500};  // 1 to 5 ms where nobody else works
  const StandIn service({""});
  Front front(service.url(), {"--quiet", "--drain-ms", "1"});
  std::vector<Client> waiting;
  for (int at = 0; at < kClients; ++at) {
    waiting.emplace_back(front.port());
    waiting.back().send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  std::chrono::milliseconds slowest{0};
  for (int at = 0; at < 20; ++at) {
    for (const auto& [target, fields] :
         {std::pair("/_mock/health", std::string()),
          std::pair(kCustomer, std::string(kToken) + "Prefer: mock\r\n")}) {
      const auto began = std::chrono::steady_clock::now();
      ASSERT_EQ(front.ask("GET", target, fields).head.status, 200);
      slowest = std::max(slowest, std::chrono::duration_cast<std::chrono::milliseconds>(
                                      std::chrono::steady_clock::now() - began));
    }
  }

  EXPECT_LT(slowest, kQuick);
  EXPECT_GT(service.requests(), 0U);
}

// More than there are threads; each has a new connection to the service.
TEST(SlowService, a_slow_resource_of_the_service_delays_no_other) {
  constexpr int kSlow = 80;
  const StandIn service(
      {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .fast = response(200, "{}")});
  Front front(service.url(), {"--quiet", "--drain-ms", "1", "--upstream-timeout-ms", "600000"});
  std::vector<Client> waiting;
  for (int at = 0; at < kSlow; ++at) {
    waiting.emplace_back(front.port());
    waiting.back().send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  ASSERT_TRUE(transport::testing::eventually([&] { return service.requests() == kSlow; }));

  const auto fast = front.ask("GET", "/fast");

  EXPECT_EQ(fast.response.body, "{}");
  EXPECT_EQ(served_by(fast), "upstream");
  EXPECT_EQ(service.requests(), kSlow + 1);
}

TEST(SlowService, what_there_is_no_memory_to_validate_is_passed_on) {
  struct Row {
    std::string body;
    std::vector<std::string> flags;
    std::string why;
  };

  const std::string many = "{\"a\": [" + std::string(900'000, '[') + "]}";
  for (const Row& row : {Row{compressed_json(std::string(63'000'000, ' ')),
                             {},
                             "its body must decompress to at most 10485760 bytes, but is longer"},
                         Row{compressed_json("{}"),
                             {"--memory-bytes", "1048576"},
                             "memory is short (--memory-bytes)"},
                         Row{compressed_json("{}"),  // half is for what cannot be left out
                             {"--memory-bytes", "20000000"},
                             "memory is short (--memory-bytes)"},
                         Row{response(200, many),
                             {"--memory-bytes", "2097152"},
                             "memory is short (--memory-bytes)"}}) {
    const StandIn service({row.body});
    const Front front(service.url(), row.flags);

    const auto record = front.ask("GET", kCustomer, kToken);

    EXPECT_TRUE(row.body.ends_with("\r\n\r\n" + record.response.body));
    EXPECT_EQ(newest(front).value("chosen_by", ""),
              "upstream; the response is not validated: " + row.why);
  }
}

// The second request is on a kept connection, for which a loop waits.
TEST(SlowService, a_pattern_that_takes_long_on_a_response_asks_the_service_once) {
  const test_support::Folder folder;
  const std::string contract = folder.path() / "contract.yaml";
  std::ofstream(contract) << R"(
openapi: 3.1.0
info: {title: Patterns, version: "1"}
paths:
  /text:
    post:
      responses:
        "200": {description: d, content: {application/json: {schema: {type: string, pattern: "^(a|aa)+$"}}}}
)";
  const StandIn service({response(200, '"' + std::string(60, 'a') + "!\"")});
  const Front front(service.url(), {"--contract", contract});

  for (std::size_t asked = 1; asked <= 2; ++asked) {
    EXPECT_EQ(served_by(front.ask("POST", "/text")), "upstream");
    EXPECT_EQ(service.requests(), asked);
  }
}

// If its validation is just quick enough for a loop, what is kept of it takes as long again.
TEST(SlowService, a_pattern_that_takes_long_leaves_the_response_as_it_is) {
  const test_support::Folder folder;
  const std::string contract = folder.path() / "contract.yaml";
  std::ofstream(contract) << R"(
openapi: 3.1.0
info: {title: Patterns, version: "1"}
paths:
  /text:
    get:
      responses:
        "200":
          description: d
          content:
            application/json: {schema: {properties: {token: {type: string, pattern: "^(a+)+$|^a+b$"}}}}
)";
  StandIn service({""});
  const Front front(service.url(), {"--contract", contract, "--quiet"});
  for (std::size_t length = 10; length <= 30; ++length) {
    const std::string body = R"({"token":")" + std::string(length, 'a') + R"(b"})";
    service.respond_with({response(200, body)});

    for (const char* const when : {"on a new connection", "on a kept one"}) {
      const auto record = front.ask("GET", "/text");
      EXPECT_EQ(record.response.body, body) << when;
      EXPECT_EQ(testing::field(record, "X-Counterpart-Violations"), "") << length << when;
    }
  }
}

TEST(SlowService, a_hundred_megabytes_pass_through_little_memory) {
  constexpr std::size_t kBytes = 100'000'000;
  const StandIn service(
      {"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kBytes) + "\r\n\r\n", End::kHold,
       kBytes});
  Front front(service.url(), {"--quiet"});
  [[maybe_unused]] const std::size_t before = front.server().memory_bytes("VmHWM:");

  Client client(front.port());
  client.send("GET /long HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string first = client.read(Wait(20'000));
  std::size_t total = first.size() - std::min(first.size(), first.find("\r\n\r\n") + 4);
  for (std::string part = client.read(Wait(20'000)); !part.empty();
       part = client.read(Wait(20'000))) {
    total += part.size();
  }

  EXPECT_EQ(total, kBytes);
  EXPECT_THAT(first, HasSubstr("X-Counterpart-Served-By: upstream"));
  EXPECT_THAT(newest(front).value("chosen_by", ""), HasSubstr("not validated"));
  constexpr std::size_t kMemory = 32'000'000;
  if (!spec::tests::kIsSanitized) {
    EXPECT_LT(front.server().memory_bytes("VmHWM:"), before + kMemory);
  }
}

}  // namespace mock_server::upstream
