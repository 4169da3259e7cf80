#include "mock_server/service/responses/scenario_effects.hpp"
#include "mock_server/service/tests/test_service.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace mock_server::service {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;

const std::string kScenarioContract = R"(
openapi: 3.1.0
info: {title: Lamps, version: "1"}
paths:
  /lamps/{key}:
    get:
      operationId: read_lamp
      parameters:
        - {name: key, in: path, required: true, schema: {type: string}}
        - {name: room, in: query, schema: {type: string}}
        - {name: X-Kind, in: header, schema: {type: string}}
      responses:
        "200": {description: d, content: {application/json: {schema: {type: object}}}}
        "429": {description: d, content: {application/json: {schema: {type: object}}}}
        "500": {description: d, content: {application/json: {schema: {type: object}}}}
)";

const std::string kScenarioOperations = R"(
collections: {lamps: {schema: {type: object}}}
operations: {read_lamp: {behaviour: read, collection: lamps, key: /path/key}}
)";

TestService::Files shop_with(const std::string& rules) {
  return {{"contract.yaml", kScenarioContract},
          {"fixtures/operations.yaml", kScenarioOperations},
          {"fixtures/lamps.yaml", "desk: {on: false}\nhall: {on: true}\n"},
          {"fixtures/scenarios/s.yaml", "description: A scenario.\nrules:\n" + rules}};
}

// A pipeline with the scenario armed in the default session.
struct Stage {
  explicit Stage(const std::string& rules) : test_service(shop_with(rules)) { arm(); }

  void arm(const std::string& prefix = "") {
    EXPECT_EQ(test_service.send("POST", prefix + "/_mock/scenarios/s/arm", "").status, 200);
  }

  std::vector<int> statuses(int calls, const std::string& target = "/lamps/desk") {
    std::vector<int> all;
    for (int call = 0; call < calls; ++call) {
      all.push_back(test_service.get(target).status);
    }
    return all;
  }

  TestService test_service;
};

const std::string kError = "error: {use: internal, message: broken}";

TEST(Scenarios, one_of_a_thousand_simultaneous_calls_takes_a_step) {
  Stage stage("  - steps: [{times: 1, " + kError + "}]\n");
  std::atomic<int> failed{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] {
        for (int call = 0; call < 125; ++call) {
          failed += stage.test_service.get("/lamps/desk").status == 500 ? 1 : 0;
        }
      });
    }
  }

  EXPECT_EQ(failed, 1);
}

TEST(Scenarios, steps_are_taken_in_order_and_have_no_effect_at_the_end) {
  Stage stage("  - steps: [{times: 1}, {times: 2, " + kError + "}]\n");

  EXPECT_THAT(stage.statuses(5), ElementsAre(200, 500, 500, 200, 200));
}

TEST(Scenarios, steps_are_repeated_with_again) {
  Stage stage("  - {again: true, steps: [{times: 1, " + kError + "}, {times: 1}]}\n");

  EXPECT_THAT(stage.statuses(5), ElementsAre(500, 200, 500, 200, 500));
}

TEST(Scenarios, a_step_ends_by_its_time_or_its_calls_whichever_is_first) {
  Stage stage("  - steps: [{times: 2, for: 10, " + kError + "}]\n");

  EXPECT_THAT(stage.statuses(1), ElementsAre(500));
  stage.test_service.now += seconds(10);
  EXPECT_THAT(stage.statuses(1), ElementsAre(200));
  stage.arm();
  EXPECT_THAT(stage.statuses(3), ElementsAre(500, 500, 200));
}

TEST(Scenarios, rounds_whose_time_is_over_are_skipped) {
  Stage stage("  - {again: true, steps: [{for: 1, " + kError + "}, {for: 2}]}\n");

  EXPECT_THAT(stage.statuses(1), ElementsAre(500));
  stage.test_service.now += seconds(3'000'000'000 + 1);
  EXPECT_THAT(stage.statuses(1), ElementsAre(200));
  stage.test_service.now += seconds(2);
  EXPECT_THAT(stage.statuses(1), ElementsAre(500));
}

TEST(Scenarios, every_nth_call_is_counted_among_those_that_match) {
  Stage stage("  - {every: 2, when: [{at: /query/room, equals: study}], " + kError + "}\n");

  EXPECT_THAT(stage.statuses(3), ElementsAre(200, 200, 200));
  EXPECT_THAT(stage.statuses(4, "/lamps/desk?room=study"), ElementsAre(200, 500, 200, 500));
}

TEST(Scenarios, conditions_look_at_headers_and_records_too) {
  Stage stage("  - {when: [{at: /header/X-Kind, equals: odd}, {at: /record/on, equals: true}], " +
              kError + "}\n");
  const auto ask = [&](const std::string& target, const std::string& kind) {
    return stage.test_service.ask({"GET", target, {{"X-Kind", kind}}, ""}).response.status;
  };

  EXPECT_EQ(ask("/lamps/hall", "odd"), 500);
  EXPECT_EQ(ask("/lamps/hall", "even"), 200);
  EXPECT_EQ(ask("/lamps/desk", "odd"), 200);
}

TEST(Scenarios, random_effects_depend_only_on_the_seed) {
  Stage stage("  - {probability: 0.5, " + kError + "}\n");
  const auto first = stage.statuses(64);
  stage.arm();
  const auto again = stage.statuses(64);
  stage.test_service.send("PUT", "/_mock/seed", R"({"seed": 7})");
  stage.arm();
  const auto other = stage.statuses(64);

  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
  EXPECT_THAT(std::ranges::count(first, 500), testing::AllOf(testing::Gt(15), testing::Lt(49)));
}

TEST(Scenarios, delays_and_faults_reach_the_transport_unless_a_preference_has_one) {
  Stage stage("  - {delay: {fixed_ms: 40}, fault: truncate}\n");

  const reply::Reply plain = stage.test_service.ask({"GET", "/lamps/desk", {}, ""});
  const reply::Reply preferred =
      stage.test_service.ask({"GET", "/lamps/desk", {{"Prefer", "delay=7, fault=reset"}}, ""});

  EXPECT_EQ(plain.delivery.delay, std::chrono::milliseconds(40));
  EXPECT_EQ(plain.delivery.fault, reply::Fault::kTruncate);
  EXPECT_EQ(preferred.delivery.delay, std::chrono::milliseconds(7));
  EXPECT_EQ(preferred.delivery.fault, reply::Fault::kReset);
}

TEST(Scenarios, uniform_delays_are_within_their_bounds) {
  Stage stage("  - {delay: {uniform_ms: [20, 30]}}\n");
  for (int call = 0; call < 50; ++call) {
    const auto delay = stage.test_service.ask({"GET", "/lamps/desk", {}, ""}).delivery.delay;
    ASSERT_GE(delay, std::chrono::milliseconds(20));
    ASSERT_LE(delay, std::chrono::milliseconds(30));
  }
}

TEST(Scenarios, log_normal_delays_have_their_median) {
  Stage stage("  - {delay: {log_normal_ms: {median: 100, sigma: 0.5}}}\n");
  int below = 0;
  for (int call = 0; call < 200; ++call) {
    const auto delay = stage.test_service.ask({"GET", "/lamps/desk", {}, ""}).delivery.delay;
    below += delay < std::chrono::milliseconds(100) ? 1 : 0;
  }

  EXPECT_THAT(below, testing::AllOf(testing::Gt(70), testing::Lt(130)));
}

TEST(Scenarios, steps_of_one_session_do_not_affect_another) {
  Stage stage("  - steps: [{times: 1, " + kError + "}]\n");
  stage.arm("/_s/other");

  EXPECT_THAT(stage.statuses(2), ElementsAre(500, 200));
  EXPECT_THAT(stage.statuses(2, "/_s/other/lamps/desk"), ElementsAre(500, 200));
  EXPECT_THAT(stage.statuses(1, "/_s/third/lamps/desk"), ElementsAre(200));
}

TEST(Scenarios, a_fork_continues_at_the_step_of_its_source) {
  Stage stage("  - steps: [{times: 2, " + kError + "}]\n");
  EXPECT_THAT(stage.statuses(1), ElementsAre(500));
  EXPECT_EQ(stage.test_service.send("POST", "/_mock/sessions", R"({"name": "fork"})").status, 201);

  EXPECT_THAT(stage.statuses(2, "/_s/fork/lamps/desk"), ElementsAre(500, 200));
  EXPECT_THAT(stage.statuses(2), ElementsAre(500, 200));
}

struct BadScenario {
  const char* name;
  const char* rules;
  const char* violation;
};

using BadScenarioTest = spec::tests::RowTest;

TEST_P(BadScenarioTest, is_rejected_at_load) {
  const BadScenario& row = GetParam();

  try {
    const TestService test_service(shop_with(row.rules));
    FAIL() << "must not load";
  } catch (const spec::LoadError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(row.violation));
    EXPECT_THAT(error.what(), testing::HasSubstr("s.yaml:"));
  }
}

const std::vector<BadScenario> kScenariosBadScenarioTest = {
    {"response_without_operation", "  - {response: {body: {}}}\n", "must name its"},
    {"undeclared_status", "  - {error: {status: 503, code: DOWN, message: m}}\n",
     "\"force\" sends it all the same"},
    {"steps_behind_an_endless_one", "  - {steps: [{}, {times: 1}]}\n",
     "must have \"times\" or \"for\""},
    {"no_steps", "  - {steps: []}\n", "must have at least one step"},
    {"unknown_fault", "  - {fault: smoke}\n", "must be one of reset"},
    {"probability_above_one", "  - {probability: 1.5}\n", "0 to 1"},
    {"two_delays", "  - {delay: {fixed_ms: 1, uniform_ms: [1, 2]}}\n", "exactly one"},
    {"delay_backwards", "  - {delay: {uniform_ms: [2, 1]}}\n", "min must not be above max"},
    {"undeclared_place", "  - {operations: [read_lamp], when: [{at: /query/rom, exists: true}]}\n",
     "/query/rom is not"},
    {"misspelt_member", "  - {evry: 2}\n", "did you mean \"every\"?"}};

INSTANTIATE_TEST_SUITE_P(Scenarios, BadScenarioTest,
                         testing::ValuesIn(spec::tests::rows(kScenariosBadScenarioTest)),
                         spec::tests::kRowNames);

struct GeneralDelay {
  std::string name;
  std::chrono::milliseconds delay;
};

using GeneralScenario = spec::tests::RowTest;

TEST_P(GeneralScenario, delays_every_call) {
  const GeneralDelay& row = GetParam();

  TestService service({{"contract.yaml", kScenarioContract}});
  service.send("POST", "/_mock/scenarios/" + row.name + "/arm", "");

  for (int call = 0; call < 2; ++call) {
    EXPECT_EQ(service.ask({"GET", "/lamps/desk", {}, ""}).delivery.delay, row.delay);
  }
}

const std::vector<GeneralDelay> kRowsGeneralScenario = {{"slow", seconds(1)},
                                                        {"very_slow", seconds(10)}};

INSTANTIATE_TEST_SUITE_P(Rows, GeneralScenario,
                         testing::ValuesIn(spec::tests::rows(kRowsGeneralScenario)),
                         spec::tests::kRowNames);

TEST(GeneralScenarios, a_flaky_network_loses_one_call_in_ten_and_fails_one_in_twenty) {
  TestService service({{"contract.yaml", kScenarioContract}});
  service.send("POST", "/_mock/scenarios/flaky/arm", "");
  int lost = 0;
  int failed = 0;
  for (int call = 0; call < 1'000; ++call) {
    const auto reply = service.ask({"GET", "/lamps/desk", {}, ""});
    lost += reply.delivery.fault == reply::Fault::kReset ? 1 : 0;
    failed += reply.response.status == 503 ? 1 : 0;
  }

  EXPECT_NEAR(lost, 100, 30);
  EXPECT_NEAR(failed, 50, 20);
}

}  // namespace
}  // namespace mock_server::service
