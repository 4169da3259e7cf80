// Many callers at once: steps are taken once, resets leave nothing torn, sessions come and go under
// reloads. Meant to be run under the thread sanitizer as well (scripts/soak.sh --tsan).

#include "mock_server/service/tests/test_service.hpp"
#include "spec/json/read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <barrier>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::service {
namespace {

using nlohmann::json;

const std::string kStockContract = R"(
openapi: 3.1.0
info: {title: Lamps, version: "1"}
paths:
  /lamps/{key}:
    parameters: [{name: key, in: path, required: true, schema: {type: string}}]
    get:
      operationId: read_lamp
      responses:
        "200": {description: d, content: {application/json: {schema: {type: object}}}}
        "500": {description: d, content: {application/json: {schema: {type: object}}}}
    patch:
      operationId: change_lamp
      requestBody: {content: {application/json: {schema: {type: object, properties: {left: {type: integer}, right: {type: integer}}}}}}
      responses:
        "200": {description: d, content: {application/json: {schema: {type: object}}}}
)";

const std::string kStockOperations = R"(
collections: {lamps: {schema: {type: object, required: [left, right]}}}
operations:
  read_lamp: {behaviour: read, collection: lamps, key: /path/key}
  change_lamp: {behaviour: update, collection: lamps, key: /path/key, fields: {left: {}, right: {}}}
)";

TestService::Files shop() {
  return {{"contract.yaml", kStockContract},
          {"fixtures/operations.yaml", kStockOperations},
          {"fixtures/lamps.yaml", "desk: {left: 0, right: 0}\n"},
          {"fixtures/scenarios/once.yaml",
           "description: Once.\n"
           "rules: [{operations: [read_lamp], steps: [{times: 1, error: {use: internal, message: "
           "broken}}]}]\n"}};
}

std::string lamp(int number) {
  return R"({"left": )" + std::to_string(number) + R"(, "right": )" + std::to_string(number) + '}';
}

// Both halves of what a response shows, which are always changed together.
bool is_torn(const spec::http::Response& response) {
  const auto body = spec::json::read(response.body);
  return response.status != 200 || !body || body->at("left") != body->at("right");
}

std::uint64_t noted(TestService& test_service, const std::string& prefix) {
  const auto body = spec::json::read(test_service.get(prefix + "/_mock/requests").body);
  return body->at("window").at("noted").get<std::uint64_t>();
}

TEST(Concurrency, exactly_one_of_two_simultaneous_calls_takes_a_step) {
  constexpr int kRounds = 1000;
  TestService test_service(shop());
  std::barrier<> start(3);
  std::barrier<> end(3);
  std::atomic<int> broken{0};
  const auto caller = [&] {
    for (int round = 0; round < kRounds; ++round) {
      start.arrive_and_wait();
      broken += test_service.get("/lamps/desk").status == 500 ? 1 : 0;
      end.arrive_and_wait();
    }
  };
  std::jthread first(caller);
  std::jthread second(caller);
  int wrong = 0;
  for (int round = 0; round < kRounds; ++round) {
    EXPECT_EQ(test_service.send("POST", "/_mock/scenarios/once/arm", "").status, 200);
    broken = 0;
    start.arrive_and_wait();
    end.arrive_and_wait();
    wrong += broken == 1 ? 0 : 1;
  }

  EXPECT_EQ(wrong, 0);
}

TEST(Concurrency, a_reset_during_calls_leaves_consistent_data_and_other_sessions_unchanged) {
  constexpr int kCalls = 300;
  TestService test_service(shop());
  std::atomic<bool> is_over{false};
  std::atomic<int> torn{0};
  {
    std::jthread resetter([&] {
      while (!is_over) {
        EXPECT_EQ(test_service.send("POST", "/_s/busy/_mock/reset", "").status, 200);
      }
    });
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&, caller] {
        for (int call = 1; call <= kCalls; ++call) {
          torn += is_torn(
              test_service.send("PATCH", "/_s/busy/lamps/desk", lamp(caller * kCalls + call)));
          torn += is_torn(test_service.get("/_s/busy/lamps/desk"));
          torn += is_torn(test_service.send("PATCH", "/_s/calm/lamps/desk", lamp(call)));
        }
      });
    }
    callers.clear();
    is_over = true;
  }

  EXPECT_EQ(torn, 0);
  EXPECT_EQ(noted(test_service, "/_s/calm"), 4U * kCalls);
  EXPECT_EQ(test_service.send("POST", "/_s/busy/_mock/reset", "").status, 200);
  EXPECT_EQ(test_service.get("/_s/busy/lamps/desk").body, R"({"left":0,"right":0})");
  EXPECT_FALSE(is_torn(test_service.get("/_s/calm/lamps/desk")));
}

// Sends the calls of a session, each of which must get a right status.
void live_a_session(TestService& test_service, const std::string& name, std::atomic<int>& wrong) {
  const std::string prefix = "/_s/" + name;
  const auto expect = [&](const spec::http::Response& response, const std::set<int>& statuses) {
    wrong += statuses.contains(response.status) ? 0 : 1;
  };
  expect(test_service.send("PATCH", prefix + "/lamps/desk", lamp(7)), {200});
  expect(test_service.send("PUT", prefix + "/_mock/records/lamps/own", lamp(3)), {200, 201});
  expect(test_service.send("PUT", prefix + "/_mock/snapshots/start", ""), {200});
  expect(test_service.send("POST", prefix + "/_mock/scenarios/once/arm", ""), {200});
  expect(test_service.send("POST", "/_mock/sessions",
                           R"({"name": "fork-of-)" + name + R"(", "from": ")" + name + R"("})"),
         {201, 409});
  expect(test_service.get("/_s/fork-of-" + name + "/lamps/own"), {200, 500});
  expect(test_service.send("PUT", prefix + "/_mock/clock", R"({"frozen": true})"), {200});
  expect(test_service.get(prefix + "/lamps/own"), {500});
  expect(test_service.get(prefix + "/lamps/own"), {200});
  expect(test_service.send("POST", prefix + "/_mock/snapshots/start/restore", ""), {200});
  expect(test_service.get(prefix + "/_mock/requests"), {200});
  expect(test_service.send("POST", prefix + "/_mock/reset", ""), {200});
  expect(test_service.get(prefix + "/lamps/own"), {404});
  expect(test_service.send("DELETE", "/_mock/sessions/" + name, ""), {200});
}

TEST(Concurrency, sessions_come_and_go_while_the_api_is_replaced) {
  constexpr int kReloads = 20;
  TestService test_service(shop());
  std::atomic<bool> is_over{false};
  std::atomic<int> wrong{0};
  std::atomic<int> lived{0};
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&, caller] {
        for (int turn = 0; !is_over; ++turn) {
          live_a_session(test_service, std::to_string(caller) + '-' + std::to_string(turn), wrong);
          ++lived;
        }
      });
    }
    for (int reload = 0; reload < kReloads; ++reload) {
      EXPECT_THAT(test_service.reload(shop()), testing::IsEmpty());
    }
    is_over = true;
  }

  EXPECT_EQ(wrong, 0);
  EXPECT_GE(lived, 4);
}

}  // namespace
}  // namespace mock_server::service
