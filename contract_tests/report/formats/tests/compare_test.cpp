// The changes between two runs, and their reasons.

#include "contract_tests/report/comparison.hpp"
#include "contract_tests/report/formats/comparison_text.hpp"
#include "contract_tests/report/tests/runs.hpp"
#include "spec/document/library.hpp"
#include "spec/load_error.hpp"
#include "spec/schema/compiler/compiler.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

namespace contract_tests::report {
namespace {

using checks::Severity;
using nlohmann::json;
using run::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

json compared(const tests::Run& before, const tests::Run& after) {
  auto value = compare({.file = "old.json", .value = before.value()},
                       {.file = "new.json", .value = after.value()});
  spec::document::Library library;
  spec::schema::SchemaSet set;
  spec::schema::compiler::Compiler compiler(library, {}, set);
  const auto schema =
      compiler.compile(library.open(std::filesystem::path(test_paths::source()) /
                                    "contract_tests/report/comparison.schema.json"));
  for (const auto& violation : spec::schema::validate(set, schema, value)) {
    ADD_FAILURE() << violation.instance << ' ' << violation.message.text();
  }
  return value;
}

// The member `key` of each entry.
std::vector<std::string> all_of(const json& entries, const char* key) {
  std::vector<std::string> texts;
  for (const auto& entry : entries) {
    texts.push_back(entry.at(key));
  }
  return texts;
}

tests::Run one_case(Verdict verdict) {
  tests::Run run;
  run.add("GET /a", "one", verdict);
  return run;
}

tests::Run failing(const std::string& place) {
  auto run = one_case(Verdict::kFailed);
  run.find(place);
  return run;
}

TEST(Compare, of_a_run_with_itself_finds_no_change) {
  const auto value = compared(failing("body/a"), failing("body/a"));

  EXPECT_TRUE(value.at("comparable"));
  EXPECT_THAT(value.at("differences"), IsEmpty());
  EXPECT_THAT(value.at("findings").at("new"), IsEmpty());
  EXPECT_THAT(value.at("findings").at("fixed"), IsEmpty());
  EXPECT_THAT(all_of(value.at("findings").at("still_failing"), "place"), ElementsAre("body/a"));
  EXPECT_EQ(exit_of_comparison(value, {FailOn::kNew, FailOn::kWorse, FailOn::kLessCoverage}), 0);
}

TEST(Compare, tells_new_from_fixed_findings) {
  const auto value = compared(failing("body/old"), failing("body/new"));

  EXPECT_THAT(all_of(value.at("findings").at("new"), "place"), ElementsAre("body/new"));
  EXPECT_THAT(all_of(value.at("findings").at("fixed"), "place"), ElementsAre("body/old"));
  EXPECT_THAT(all_of(value.at("findings").at("fixed"), "because"), ElementsAre("service"));
}

TEST(Compare, calls_a_finding_fixed_only_where_its_case_ran_to_a_verdict) {
  const auto before = failing("body/a");

  for (const auto verdict : {Verdict::kInconclusive, Verdict::kSkipped}) {
    auto after = one_case(verdict);
    after.add("GET /a", "two", Verdict::kPassed);
    const auto value = compared(before, after);
    EXPECT_THAT(value.at("findings").at("fixed"), IsEmpty());
    EXPECT_THAT(all_of(value.at("findings").at("not_seen"), "place"), ElementsAre("body/a"));
  }
}

TEST(Compare, knows_a_finding_that_is_told_with_another_operation) {
  tests::Run before;
  before.add("GET /a", "one", Verdict::kFailed).find("header/Allow");
  before.run().outcomes.at(0).findings.front().operations = {"GET /b"};
  before.add("GET /b", "one", Verdict::kPassed);
  tests::Run after;
  after.add("GET /a", "one", Verdict::kPassed);
  after.add("GET /b", "one", Verdict::kFailed).find("header/Allow");

  const auto value = compared(before, after);

  EXPECT_THAT(value.at("findings").at("new"), IsEmpty());
  EXPECT_THAT(all_of(value.at("findings").at("still_failing"), "operation_name"),
              ElementsAre("GET /b"));
}

TEST(Compare, lists_cases_that_ran_in_one_run_only) {
  tests::Run before;
  before.add("GET /a", "left", Verdict::kPassed).add("GET /a", "stays", Verdict::kPassed);
  before.add("GET /a", "skipped", Verdict::kPassed).add("GET /a", "doubtful", Verdict::kPassed);
  tests::Run after;
  after.leave_out("GET /a", "left").add("GET /a", "stays", Verdict::kPassed);
  after.add("GET /a", "skipped", Verdict::kSkipped);
  after.add("GET /a", "doubtful", Verdict::kInconclusive).add("GET /a", "fresh", Verdict::kPassed);

  const auto cases = compared(before, after).at("cases");

  EXPECT_THAT(all_of(cases.at("no_longer_run"), "case"),
              ElementsAre("GET_a.left", "GET_a.skipped"));
  EXPECT_THAT(all_of(cases.at("no_longer_run"), "reason"), ElementsAre("", "a reason"));
  EXPECT_THAT(all_of(cases.at("newly_run"), "case"), ElementsAre("GET_a.fresh"));
  EXPECT_THAT(all_of(cases.at("passed_to_inconclusive"), "case"), ElementsAre("GET_a.doubtful"));
}

TEST(Compare, lists_cases_that_are_slower_than_noise) {
  using std::chrono::milliseconds;
  tests::Run before;
  before.add("GET /a", "much", Verdict::kPassed).step("", milliseconds(100));
  before.add("GET /a", "less_than_twice", Verdict::kPassed).step("", milliseconds(300));
  before.add("GET /a", "noise", Verdict::kPassed).step("", milliseconds(1));
  tests::Run after;
  after.add("GET /a", "much", Verdict::kPassed).step("", milliseconds(200));
  after.add("GET /a", "less_than_twice", Verdict::kPassed).step("", milliseconds(599));
  after.add("GET /a", "noise", Verdict::kPassed).step("", milliseconds(100));

  const auto slower = compared(before, after).at("cases").at("slower");

  EXPECT_THAT(all_of(slower, "case"), ElementsAre("GET_a.much"));
}

TEST(Compare, names_what_an_operation_no_longer_covers) {
  auto before = one_case(Verdict::kPassed);
  before.cover("get_a", {"200 /x", "200 /y"}, {}).cover("get_b", {"200 /x"}, {});
  auto after = one_case(Verdict::kPassed);
  after.cover("get_a", {"200 /x"}, {"200 /y"}).cover("get_b", {"200 /x"}, {});

  const auto value = compared(before, after);

  EXPECT_THAT(all_of(value.at("coverage"), "operation"), ElementsAre("get_a"));
  EXPECT_EQ(value.at("coverage").at(0).at("lost"), json::array({"fields 200 /y"}));
  EXPECT_EQ(exit_of_comparison(value, {FailOn::kNew, FailOn::kWorse}), 0);
  EXPECT_EQ(exit_of_comparison(value, {FailOn::kLessCoverage}), 1);
}

struct Change {
  std::string name;
  std::function<void(tests::Run&)> change;  // of the later run
  std::string because;                      // of its new finding
};

using Attribution = spec::tests::RowTest;

// Both runs got the same response where both have one.
TEST_P(Attribution, is_what_can_be_the_reason_and_nothing_else) {
  const Change& row = GetParam();

  auto before = one_case(Verdict::kPassed);
  before.step("the response");
  auto after = failing("body/a");
  after.step("the response");
  row.change(after);

  const auto value = compared(before, after);

  EXPECT_THAT(all_of(value.at("findings").at("new"), "because"), ElementsAre(row.because));
}

void change_response(tests::Run& run) {
  run.run().outcomes.at(0).steps.front().hash = checks::stable_hash("another");
}

void change_contract(tests::Run& run) {
  run.run().contract_hash = "00000000000000c1";
  run.run().plan_hash = "00000000000000a1";  // cases are made from the contract
}

void change_rules(tests::Run& run) {
  run.run().basis = "00000000000000b1";
  run.run().plan_hash = "00000000000000a1";
}

const std::vector<Change> kCompareAttribution = {
    {"all_is_the_same", [](tests::Run&) {}, "service"},
    {"another_response", change_response, "service"},
    {"another_contract", change_contract, "contract"},
    {"another_contract_and_response",
     [](tests::Run& run) {
       change_contract(run);
       change_response(run);
     },
     "cannot tell"},
    {"other_rules", change_rules, "plan"},
    {"another_seed", [](tests::Run& run) { run.plan().seed = 2; }, "plan"},
    {"another_version", [](tests::Run& run) { run.run().version = "0.2.0"; }, "plan"},
    {"other_rules_and_response",
     [](tests::Run& run) {
       change_rules(run);
       change_response(run);
     },
     "cannot tell"},
    {"another_contract_and_other_rules",
     [](tests::Run& run) {
       change_contract(run);
       change_rules(run);
     },
     "cannot tell"},
    {"another_filter", [](tests::Run& run) { run.run().settings.filter = "GET*"; }, "service"},
    {"another_address", [](tests::Run& run) { run.run().base_url = "http://127.0.0.2:1"; },
     "service"}};

INSTANTIATE_TEST_SUITE_P(Compare, Attribution,
                         testing::ValuesIn(spec::tests::rows(kCompareAttribution)),
                         spec::tests::kRowNames);

TEST(Compare, of_a_case_that_only_one_plan_has_is_not_because_of_the_service) {
  const auto before = one_case(Verdict::kPassed);
  auto after = one_case(Verdict::kPassed);
  after.add("GET /a", "two", Verdict::kFailed).find("body/a");
  change_contract(after);

  const auto value = compared(before, after);

  EXPECT_THAT(all_of(value.at("cases").at("newly_run"), "because"), ElementsAre("contract"));
  EXPECT_THAT(all_of(value.at("findings").at("new"), "because"), ElementsAre("contract"));
}

struct FailOnRow {
  std::string name;
  std::function<tests::Run()> before;
  std::function<tests::Run()> after;
  int fresh;
  int worse;
};

using FailOnWhat = spec::tests::RowTest;

TEST_P(FailOnWhat, decides_about_the_exit_code) {
  const FailOnRow& row = GetParam();

  const auto value = compared(row.before(), row.after());

  EXPECT_EQ(exit_of_comparison(value, {}), 0);
  EXPECT_EQ(exit_of_comparison(value, {FailOn::kNew}), row.fresh);
  EXPECT_EQ(exit_of_comparison(value, {FailOn::kWorse}), row.worse);
}

tests::Run noted(Severity severity) {
  auto run = one_case(Verdict::kPassed);
  run.find("body/a", severity);
  return run;
}

const std::vector<FailOnRow> kCompareFailOnWhat = {
    {"passed_to_failed", [] { return one_case(Verdict::kPassed); },
     [] { return failing("body/a"); }, 1, 1},
    {"failed_to_failed_otherwise", [] { return failing("body/a"); },
     [] { return failing("body/b"); }, 1, 0},
    {"failed_to_passed", [] { return failing("body/a"); },
     [] { return one_case(Verdict::kPassed); }, 0, 0},
    {"a_new_warning", [] { return one_case(Verdict::kPassed); },
     [] { return noted(Severity::kWarning); }, 0, 0},
    {"a_note_became_a_warning", [] { return noted(Severity::kNote); },
     [] { return noted(Severity::kWarning); }, 0, 1},
    {"passed_to_inconclusive", [] { return one_case(Verdict::kPassed); },
     [] { return one_case(Verdict::kInconclusive); }, 0, 1}};

INSTANTIATE_TEST_SUITE_P(Compare, FailOnWhat,
                         testing::ValuesIn(spec::tests::rows(kCompareFailOnWhat)),
                         spec::tests::kRowNames);

struct Pair {
  std::string name;
  std::function<void(tests::Run&)> change;  // of the later run
  std::string says;
};

using NotComparable = spec::tests::RowTest;

TEST_P(NotComparable, says_why_and_lists_no_change) {
  const Pair& row = GetParam();

  auto after = failing("body/a");
  row.change(after);

  const auto value = compared(one_case(Verdict::kPassed), after);

  EXPECT_FALSE(value.at("comparable"));
  EXPECT_THAT(value.at("why_not").get<std::string>(), HasSubstr(row.says));
  EXPECT_THAT(value.at("findings").at("new"), IsEmpty());
  EXPECT_EQ(exit_of_comparison(value, {FailOn::kNew}), 3);
  EXPECT_THAT(formats::comparison_text(value), HasSubstr("Cannot be compared: "));
}

const std::vector<Pair> kCompareNotComparable = {
    {"did_not_start", [](tests::Run& run) { run.run().unusable = true; },
     "the new run could not start"},
    {"ran_no_case", [](tests::Run& run) { run.run().outcomes.at(0) = {}; },
     "no case ran in the new run"},
    {"of_the_mock", [](tests::Run& run) { run.run().target = "mock"; }, "one run is of the mock"},
    {"of_a_shard", [](tests::Run& run) { run.shard(0, 3); }, "contract_tests merge"}};

INSTANTIATE_TEST_SUITE_P(Compare, NotComparable,
                         testing::ValuesIn(spec::tests::rows(kCompareNotComparable)),
                         spec::tests::kRowNames);

TEST(Compare, rejects_a_run_of_another_contract) {
  tests::Run other;
  other.add("GET /other", "one", Verdict::kPassed);

  EXPECT_THROW(compared(one_case(Verdict::kPassed), other), spec::LoadError);
}

TEST(ComparisonText, is_safe_in_markdown) {
  auto after = failing("body/<script>|`a`");
  after.run().base_url = "{{body}}";
  const auto value = compared(one_case(Verdict::kPassed), after);

  const auto markdown = formats::comparison_markdown(value);

  EXPECT_THAT(markdown, HasSubstr(R"(body/&#60;script&#62;\|\`a\`)"));
  EXPECT_THAT(formats::comparison_text(value),
              HasSubstr("\nNew\n  error schema/type GET /a: body/<script>"));
}

TEST(ComparisonText, of_ten_thousand_changes_fits_a_comment) {
  tests::Run before;
  tests::Run after;
  for (int number = 0; number < 10'000; ++number) {
    const auto name = "case " + std::to_string(number);
    before.add("GET /a", name, Verdict::kPassed);
    after.add("GET /a", name, Verdict::kFailed).find("body/" + std::string(1 + number % 90, 'x'));
  }

  const auto value = compared(before, after);

  EXPECT_LT(formats::comparison_markdown(value).size(), 65'000U);
  EXPECT_THAT(formats::comparison_markdown(value), HasSubstr(" more; `--format json` has all"));
}

}  // namespace
}  // namespace contract_tests::report
