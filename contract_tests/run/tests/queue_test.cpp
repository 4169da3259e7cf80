// The order of cases: lanes, turns, and what waits for all others.

#include "contract_tests/run/queue.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::run {
namespace {

using testing::ElementsAre;

// Cases of operations and lanes, and all their indices.
struct Planned {
  Plan plan;
  std::vector<std::size_t> all;

  explicit Planned(const std::vector<std::pair<std::string, std::string>>& cases) {
    for (const auto& [operation, lane] : cases) {
      auto& item = plan.cases.emplace_back();
      item.operation = operation;
      item.lane = lane;
    }
    all.resize(cases.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
  }
};

// Rules that give each operation its request.
plan::Rules ruled() {
  plan::Rules rules;
  for (const char* const operation : {"a", "b", "c"}) {
    rules.operations[operation].request.emplace();
  }
  return rules;
}

// The cases of one worker.
std::vector<std::size_t> taken(Queue queue) {
  std::vector<std::size_t> cases;
  while (const auto job = queue.take()) {
    cases.insert(cases.end(), job->cases.begin(), job->cases.end());
    queue.done(*job);
  }
  return cases;
}

TEST(Queue, keeps_the_order_of_the_plan_and_lanes_together) {
  const Planned planned({{"a", ""}, {"a", "writes"}, {"a", "last"}, {"b", ""}, {"b", "writes"}});

  EXPECT_THAT(taken(Queue(planned.plan, ruled(), planned.all, false)), ElementsAre(0, 1, 4, 3, 2));
}

TEST(Queue, deletes_when_what_it_deletes_is_needed_no_more) {
  Planned planned({{"a", "writes"}, {"a", "writes"}, {"b", "writes"}, {"c", ""}, {"c", "last"}});
  for (const auto deleting : {0, 1}) {
    planned.plan.cases[deleting].operation_name = "DELETE /a";
  }
  Queue queue(planned.plan, ruled(), planned.all, false);

  const auto writing = queue.take().value();
  const auto reading = queue.take().value();
  EXPECT_THAT(writing.cases, ElementsAre(2));
  EXPECT_THAT(reading.cases, ElementsAre(3));
  queue.done(writing);
  EXPECT_FALSE(queue.take());
  queue.done(reading);
  EXPECT_THAT(taken(std::move(queue)), ElementsAre(0, 1, 4));
}

TEST(Queue, changes_without_rules_when_what_is_compared_was_read) {
  const Planned planned({{"a", "writes"}, {"b", ""}, {"c", "last"}});
  Queue queue(planned.plan, {}, planned.all, false);

  const auto reading = queue.take().value();
  EXPECT_THAT(reading.cases, ElementsAre(1));
  EXPECT_FALSE(queue.take());
  queue.done(reading);
  EXPECT_THAT(taken(std::move(queue)), ElementsAre(0, 2));
}

TEST(Queue, takes_every_operation_in_turn) {
  const Planned planned({{"a", ""}, {"a", ""}, {"a", ""}, {"b", ""}, {"c", ""}, {"c", ""}});

  EXPECT_THAT(taken(Queue(planned.plan, {}, planned.all, true)), ElementsAre(0, 3, 4, 1, 5, 2));
}

TEST(Queue, keeps_the_order_of_a_lane_in_turns) {
  const Planned planned(
      {{"a", "writes"}, {"a", "writes"}, {"b", ""}, {"b", ""}, {"c", "writes"}, {"c", "last"}});

  EXPECT_THAT(taken(Queue(planned.plan, ruled(), planned.all, true)),
              ElementsAre(0, 2, 1, 4, 3, 5));
}

TEST(Queue, runs_one_case_of_a_lane_at_a_time) {
  const Planned planned({{"a", "writes"}, {"b", "writes"}, {"c", ""}});
  Queue queue(planned.plan, ruled(), planned.all, true);

  const auto first = queue.take().value();
  EXPECT_THAT(first.cases, ElementsAre(0));
  EXPECT_THAT(queue.take().value().cases, ElementsAre(2));
  EXPECT_FALSE(queue.take());
  EXPECT_FALSE(queue.is_empty());
  queue.done(first);
  EXPECT_THAT(queue.take().value().cases, ElementsAre(1));
  EXPECT_TRUE(queue.is_empty());
}

TEST(Queue, waits_with_the_last_cases_until_all_others_are_done) {
  const Planned planned({{"a", "last"}, {"a", ""}, {"b", "burst"}});
  Queue queue(planned.plan, {}, planned.all, false);

  const auto other = queue.take().value();
  EXPECT_FALSE(queue.take());
  queue.done(other);
  const auto last = queue.take().value();
  EXPECT_THAT(last.cases, ElementsAre(0));
  EXPECT_FALSE(queue.take());
  queue.done(last);
  EXPECT_THAT(queue.take().value().cases, ElementsAre(2));
}

TEST(Queue, begins_with_the_cases_that_explain_others) {
  Planned planned({{"a", ""}, {"a", ""}, {"a", ""}, {"b", ""}, {"b", ""}, {"c", "writes"}});
  planned.plan.cases[2].is_unauthenticated = true;
  planned.plan.cases[3].is_plain = true;
  planned.plan.cases[5].is_plain = true;  // it changes something
  plan::Rules rules;
  rules.operations["b"].request.emplace();

  EXPECT_THAT(taken(Queue(planned.plan, rules, planned.all, false)), ElementsAre(2, 3, 0, 1, 4, 5));
}

TEST(Queue, takes_in_turns_also_the_cases_that_explain_others) {
  Planned planned({{"a", ""}, {"a", ""}, {"a", ""}, {"b", ""}, {"b", ""}});
  planned.plan.cases[0].is_plain = true;
  planned.plan.cases[2].is_unauthenticated = true;
  planned.plan.cases[4].is_plain = true;

  EXPECT_THAT(taken(Queue(planned.plan, {}, planned.all, true)), ElementsAre(0, 4, 2, 1, 3));
}

TEST(ExplainingCases, are_the_plain_and_the_unauthenticated_requests_of_the_selected_operations) {
  Planned planned({{"a", ""}, {"a", ""}, {"b", ""}, {"b", ""}, {"b", ""}, {"c", ""}});
  planned.plan.cases[0].is_plain = true;
  planned.plan.cases[2].is_plain = true;
  planned.plan.cases[4].is_unauthenticated = true;
  planned.plan.cases[5].is_plain = true;

  EXPECT_THAT(with_explaining_cases(planned.plan, {}, {1, 3}), ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace contract_tests::run
