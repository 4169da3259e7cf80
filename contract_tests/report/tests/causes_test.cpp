// Findings that have one cause, and the line of a cause.

#include "contract_tests/findings/causes.hpp"

#include "contract_tests/run/case.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace contract_tests::report {
namespace {

using checks::Finding;
using nlohmann::json;
using testing::ElementsAre;

Finding finding() {
  Finding made;
  made.rule = "schema/type";
  made.place = "body/items/3/name";
  made.message = {"must be a string", "is 7"};
  made.source = {"§4.4", {}, "/paths/~1a/get/responses/200/schema/type", "a.yaml:1:2"};
  made.operation = "GET /a";
  made.fingerprint = "0123456789abcdef";
  return made;
}

struct Other {
  std::string name;
  std::function<void(Finding&)> change;
  bool same;
};

using CauseKey = spec::tests::RowTest;

TEST_P(CauseKey, is_the_same_for_findings_of_one_cause) {
  const Other& row = GetParam();

  auto other = finding();
  row.change(other);

  EXPECT_EQ(key_of(finding(), checks::KeyScope::kCause) == key_of(other, checks::KeyScope::kCause),
            row.same);
}

const std::vector<Other> kCausesCauseKey = {
    {"another_element", [](Finding& made) { made.place = "body/items/4/name"; }, true},
    {"another_value",
     [](Finding& made) {
       made.message = {"must be a string", "is null"};
     },
     true},
    {"another_operation",
     [](Finding& made) {
       made.operation = "PUT /b";
       made.source.pointer = "/paths/~1b/put/responses/200/schema/type";
     },
     true},
    {"another_member", [](Finding& made) { made.place = "body/items/3/id"; }, false},
    {"another_statement", [](Finding& made) { made.source.pointer = "/components/schemas/A/type"; },
     false},
    {"another_rule", [](Finding& made) { made.rule = "schema/format"; }, false},
    {"another_requirement",
     [](Finding& made) {
       made.message = {"must be a number", "is 7"};
     },
     false},
    {"another_severity", [](Finding& made) { made.severity = checks::Severity::kNote; }, false}};

INSTANTIATE_TEST_SUITE_P(Causes, CauseKey, testing::ValuesIn(spec::tests::rows(kCausesCauseKey)),
                         spec::tests::kRowNames);

Finding about_a_request(const checks::Change& changed) {
  auto made = finding();
  made.rule = "parameter/maximum";
  made.place = "status";
  made.message = {"must be rejected", "is 200"};
  made.status = 200;
  made.changed = changed;
  return made;
}

run::Outcome outcome(Finding made) {
  run::Outcome met;
  met.verdict = run::Verdict::kFailed;
  met.findings.push_back(std::move(made));
  return met;
}

run::Plan plan_of(std::size_t cases) {
  run::Plan plan;
  for (std::size_t index = 0; index < cases; ++index) {
    auto& item = plan.cases.emplace_back();
    item.operation_name = "GET /" + std::to_string(index / 2);
    item.id = "GET_" + std::to_string(index / 2) + ".case_" + std::to_string(index);
  }
  return plan;
}

TEST(Causes, list_operations_and_count_cases) {
  const auto plan = plan_of(4);
  const std::map<std::size_t, run::Outcome> outcomes{
      {0, outcome(about_a_request({"query", "page_size", "101"}))},
      {1, outcome(about_a_request({"query", "page_size", std::nullopt, "102"}))},
      {2, outcome(about_a_request({"query", "page_size", std::nullopt, "0"}))},
      {3, outcome(about_a_request({"query", "name", "a"}))}};

  const findings::Causes causes(plan, outcomes);

  ASSERT_EQ(causes.all().size(), 2U);
  EXPECT_EQ(causes.index_of(outcomes.at(2).findings.front()), 0U);
  EXPECT_EQ(causes.index_of(outcomes.at(3).findings.front()), 1U);
  const auto& first = causes.all().front();
  EXPECT_EQ(first.cases, 3U);
  EXPECT_THAT(first.operations, ElementsAre("GET /0", "GET /1"));
  EXPECT_EQ(findings::line_of(to_json(first)),
            "error parameter/maximum GET /0, GET /1: query/page_size 101: must be rejected, but is "
            "200 [3 cases] (§4.4, document)");
}

TEST(Causes, have_errors_before_notes) {
  const auto plan = plan_of(2);
  auto note = finding();
  note.severity = checks::Severity::kNote;
  note.rule = "a/note";

  const std::map<std::size_t, run::Outcome> outcomes{{0, outcome(note)}, {1, outcome(finding())}};
  const findings::Causes causes(plan, outcomes);

  ASSERT_EQ(causes.all().size(), 2U);
  EXPECT_EQ(causes.all()[0].finding->rule, "schema/type");
  EXPECT_EQ(causes.all()[1].finding->rule, "a/note");
}

TEST(Causes, name_the_case_where_the_request_does_not_show_its_value) {
  auto plan = plan_of(1);
  plan.cases.front().sentence = "a token in the other letter case is rejected";
  const auto line = [&plan](const checks::Change& changed) {
    const std::map<std::size_t, run::Outcome> outcomes{{0, outcome(about_a_request(changed))}};
    return findings::line_of(to_json(findings::Causes(plan, outcomes).all().front()));
  };
  const std::string wanted =
      "error parameter/maximum GET /0: a token in the other letter case is rejected: must be "
      "rejected, but is 200 (§4.4, document)";

  EXPECT_EQ(line({"header", "Authorization", "Bearer ${case.token}"}), wanted);
  EXPECT_EQ(line("unknown credentials"), wanted);
}

struct ChangedRequest {
  std::string name;
  checks::Change changed;
  std::string place;
  std::string value;
};

using ChangedPart = spec::tests::RowTest;

TEST_P(ChangedPart, is_named_by_place_and_value) {
  const ChangedRequest& row = GetParam();

  const auto plan = plan_of(1);
  const std::map<std::size_t, run::Outcome> outcomes{{0, outcome(about_a_request(row.changed))}};
  const findings::Causes causes(plan, outcomes);

  const auto value = to_json(causes.all().front());

  EXPECT_EQ(value.at("place"), row.place);
  EXPECT_EQ(value.at("value"), row.value);
}

checks::Change reduced(checks::Change change) {
  change.reduced = true;
  return change;
}

const std::vector<ChangedRequest> kCausesChangedPart = {
    {"of_a_value", {"query", "limit", "-1"}, "query/limit", "-1"},
    {"of_a_boundary", {"query", "limit", std::nullopt, "0"}, "query/limit", "0"},
    {"that_was_reduced", reduced({"query", "sort", "true"}), "query/sort", "true (reduced)"},
    {"of_a_header", {"header", "Accept", "text/csv"}, "header/Accept", "text/csv"},
    {"of_a_member", {"body", "name", std::nullopt, "empty"}, "body/name", "empty"},
    {"of_a_generated_body", {"body", "", std::nullopt, "/a/b null"}, "body", "/a/b null"},
    {"of_a_whole_body", "body with every field", "status", "body with every field"},
    {"of_nothing_named", "an unknown identifier", "status", "an unknown identifier"}};

INSTANTIATE_TEST_SUITE_P(Causes, ChangedPart,
                         testing::ValuesIn(spec::tests::rows(kCausesChangedPart)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace contract_tests::report
