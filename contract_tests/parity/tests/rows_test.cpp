#include "contract_tests/parity/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

namespace contract_tests::parity {

namespace {

using testing::HasSubstr;

run::Outcome passed_with(int status) {
  run::Outcome outcome{.verdict = run::Verdict::kPassed};
  outcome.steps.push_back({.request = "GET /a", .curl = "curl a", .status = status});
  return outcome;
}

run::Outcome failed_at(const std::string& place) {
  auto outcome = passed_with(200);
  outcome.verdict = run::Verdict::kFailed;
  outcome.findings.push_back({.rule = "schema/type", .place = place, .message = "must be a text"});
  return outcome;
}

run::Outcome without_response(bool not_allowed) {
  return {.verdict = run::Verdict::kSkipped, .reason = "no consent", .not_allowed = not_allowed};
}

struct SidesRow {
  std::string name;
  run::Outcome mock;
  run::Outcome service;
  std::vector<Verdict> verdicts;
  int exit = 0;
};

void PrintTo(const SidesRow& row, std::ostream* out) {
  *out << row.name;
}

const std::vector<SidesRow> kSides{
    {"the_same", passed_with(200), passed_with(200), {}, 0},
    {"service_is_wrong", passed_with(200), failed_at("body/a"), {Verdict::kServiceViolates}, 1},
    {"both_are_wrong", failed_at("body/a"), failed_at("body/a"), {Verdict::kServiceViolates}, 1},
    {"mock_is_wrong", failed_at("body/a"), passed_with(200), {Verdict::kMockDiffers}, 1},
    {"each_is_wrong",
     failed_at("body/b"),
     failed_at("body/a"),
     {Verdict::kServiceViolates, Verdict::kMockDiffers},
     1},
    {"both_are_valid", passed_with(400), passed_with(422), {Verdict::kContractIsSilent}, 0},
    {"no_response", passed_with(200), without_response(false), {Verdict::kCannotTell}, 3},
    {"not_allowed", passed_with(200), without_response(true), {}, 0},
};

class Sides : public testing::TestWithParam<SidesRow> {};

TEST_P(Sides, are_compared_by_who_is_wrong) {
  run::Plan plan;
  plan.cases.emplace_back().id = "GET_a.works";

  const auto rows = compare_sides(plan, {{0, GetParam().mock}}, {{0, GetParam().service}});

  std::vector<Verdict> verdicts;
  std::ranges::transform(rows, std::back_inserter(verdicts), &Row::verdict);
  EXPECT_EQ(verdicts, GetParam().verdicts);
  EXPECT_EQ(exit_of(rows), GetParam().exit);
}

INSTANTIATE_TEST_SUITE_P(Table, Sides, testing::ValuesIn(kSides),
                         [](const auto& row) { return row.param.name; });

TEST(Rows, show_three_columns_and_the_numbers) {
  const auto text =
      rows_text({{Verdict::kMockDiffers, "GET_a.works", "document §1", "500", "200", "curl a"}});

  EXPECT_THAT(text,
              HasSubstr("mock differs: GET_a.works\n  contract: document §1\n  mock:     500\n"
                        "  service:  200\n  curl a\n"));
  EXPECT_THAT(text, HasSubstr("service violates 0, mock differs 1, contract is silent 0"));
}

}  // namespace

}  // namespace contract_tests::parity
