// One run of the shards of a run: what it says is what a run in one piece says.

#include "contract_tests/findings/repeated_findings.hpp"
#include "contract_tests/report/merged_shards.hpp"
#include "contract_tests/report/tests/runs.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

namespace contract_tests::report {
namespace {

using nlohmann::json;
using run::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

plan::RuleBook book() {
  plan::RuleBook rules;
  rules["http/allow"].report_once = true;
  rules["http/allow"].says = "it says what is allowed";
  return rules;
}

SavedRun saved(const json& value, const std::string& name = "run.json") {
  return {.file = name, .value = value};
}

// Cases of four operations with one cause, a finding repeated in all, and a skipped case.
tests::Run whole() {
  tests::Run run;
  run.add("GET /a", "plain", Verdict::kPassed).step("1");
  run.add("GET /a", "repeated", Verdict::kFailed)
      .find("header/Allow", checks::Severity::kError, "http/allow");
  run.add("GET /a", "wrong", Verdict::kFailed)
      .find("body/name", checks::Severity::kError)
      .step("2");
  run.add("GET /b", "repeated", Verdict::kFailed)
      .find("header/Allow", checks::Severity::kError, "http/allow");
  run.add("GET /b", "skipped", Verdict::kSkipped);
  run.add("GET /b", "wrong", Verdict::kFailed).find("body/name", checks::Severity::kError);
  for (const std::string operation : {"GET /c", "GET /d", "GET /c", "GET /d"}) {
    run.add(operation, "repeated " + std::to_string(run.plan().cases.size()), Verdict::kFailed);
    run.find("header/Allow", checks::Severity::kError, "http/allow");
  }
  return run;
}

// The cases of `run` that GoogleTest gives this shard, with its own repeated findings merged.
json shard_of(tests::Run run, std::size_t index, std::size_t of) {
  std::erase_if(run.run().outcomes,
                [index, of](const auto& entry) { return entry.first % of != index; });
  findings::merge_repeated_findings(book(), run.run().outcomes);
  run.shard(index, of);
  return run.value();
}

std::vector<SavedRun> shards_of_whole(std::size_t of) {
  std::vector<SavedRun> shards;
  for (std::size_t index = of; index > 0; --index) {  // in any order
    shards.push_back(saved(shard_of(whole(), index - 1, of)));
  }
  return shards;
}

TEST(Merge, says_what_a_run_in_one_piece_says) {
  const auto rules = book();
  auto in_one_piece = whole();
  in_one_piece.run().book = &rules;
  findings::merge_repeated_findings(rules, in_one_piece.run().outcomes);

  for (const std::size_t of : {2, 3, 4, 9}) {
    EXPECT_EQ(merge(shards_of_whole(of), book()), in_one_piece.value()) << of;
  }
}

TEST(Merge, tells_what_every_operation_does_once) {
  const auto value = merge(shards_of_whole(3), book());

  EXPECT_EQ(value.at("counts").at("failed"), 3);
  EXPECT_EQ(value.at("counts").at("inconclusive"), 5);
  EXPECT_EQ(value.at("cases").at(1).at("findings").at(0).at("operations"),
            json::array({"GET /b", "GET /c", "GET /d"}));
}

TEST(Merge, keeps_what_the_reports_of_a_run_need) {
  auto shards = shards_of_whole(2);
  for (auto& shard : shards) {
    shard.value["inputs"] = {{"contract", "shop.yaml"}};
    shard.value["contract_file"] = {{"path", "api/shop.yaml"}, {"in_repository", true}};
  }

  const auto value = merge(shards, book());

  EXPECT_EQ(value.at("inputs"), shards[0].value.at("inputs"));
  EXPECT_EQ(value.at("contract_file"), shards[0].value.at("contract_file"));
  EXPECT_EQ(value.at("rules").at("http/allow").at("says"), "it says what is allowed");
}

TEST(Merge, joins_what_was_covered) {
  using spec::contract::PointKind;
  std::vector<SavedRun> shards;
  for (const std::string seen : {"a", "b"}) {
    tests::Run run;
    run.shard(shards.size(), 2);
    run.cover("get_a", {"200 /" + seen}, {seen == "a" ? "200 /b" : "200 /a", "200 /never"});
    run.run().coverage.operations.front().points.push_back(
        {PointKind::kEnumeration, "200 /kind", true, 3, {seen}});
    shards.push_back(saved(run.value()));
  }

  const auto coverage = merge(shards, book()).at("coverage");

  EXPECT_EQ(coverage.at("points"), 5);
  EXPECT_EQ(coverage.at("seen"), 4);
  EXPECT_EQ(coverage.at("operations").at("get_a").at("enumerations").at("values").at("200 /kind"),
            (json{{"seen", 2}, {"of", 3}}));
}

TEST(Merge, sums_what_shards_did_and_keeps_the_longest_time) {
  std::vector<SavedRun> shards;
  for (const int seconds : {3, 2}) {
    tests::Run run;
    run.add("GET /a", "one", Verdict::kPassed);
    run.shard(shards.size(), 2);
    if (!shards.empty()) {
      run.run().outcomes.clear();
    }
    run.run().time = std::chrono::seconds(seconds);
    run.run().requests = 10;
    run.run().records = 1;
    run.run().not_put_back = {{"left " + std::to_string(seconds), ""}};
    run.run().waited = std::chrono::milliseconds(5);
    shards.push_back(saved(run.value()));
  }

  const auto value = merge(shards, book());

  EXPECT_EQ(value.at("time_us"), 3'000'000);
  EXPECT_EQ(value.at("counts").at("requests"), 20);
  EXPECT_EQ(value.at("writes").at("records"), 2);
  EXPECT_EQ(value.at("writes").at("not_put_back").size(), 2U);
  EXPECT_EQ(value.at("waits").at("waited_ms"), 10);
  EXPECT_EQ(value.at("verdict"), "passed");
}

TEST(Merge, is_inconclusive_without_a_shard_and_names_it) {
  tests::Run run;
  run.add("GET /a", "one", Verdict::kPassed).shard(2, 4);
  tests::Run first;
  first.leave_out("GET /a", "one").shard(0, 4);

  const auto value = merge({saved(run.value()), saved(first.value())}, book());

  EXPECT_EQ(value.at("verdict"), "inconclusive");
  EXPECT_EQ(value.at("exit"), 3);
  EXPECT_THAT(value.at("headlines").get<std::vector<std::string>>(),
              ElementsAre(HasSubstr("shard 1 of 4 (GTEST_SHARD_INDEX=1) is missing"),
                          HasSubstr("shard 3 of 4 (GTEST_SHARD_INDEX=3) is missing")));
  EXPECT_FALSE(value.contains("shard"));
}

TEST(Merge, decides_what_no_shard_alone_can_decide) {
  tests::Run first;
  first.add("GET /a", "one", Verdict::kPassed).leave_out("GET /b", "one").shard(0, 2);
  first.run().min_coverage = 60;
  first.cover("get_a", {}, {"200 /x"});
  tests::Run second;
  second.leave_out("GET /a", "one").add("GET /b", "one", Verdict::kSkipped).shard(1, 2);
  second.run().min_coverage = 60;
  second.cover("get_a", {}, {"200 /x"});

  const auto value = merge({saved(first.value()), saved(second.value())}, book());

  EXPECT_EQ(first.value().at("verdict"), "passed");
  EXPECT_EQ(second.value().at("verdict"), "passed");
  EXPECT_EQ(value.at("verdict"), "inconclusive");
  EXPECT_EQ(value.at("operations_without_a_case_run"), json::array({"GET /b"}));
  EXPECT_THAT(value.at("problems").get<std::vector<std::string>>(),
              ElementsAre(HasSubstr("coverage is 50.0 %")));
}

TEST(Merge, says_which_shard_could_not_start_and_why) {
  tests::Run run;
  run.add("GET /a", "one", Verdict::kPassed).shard(0, 2);
  tests::Run unusable;
  unusable.shard(1, 2);
  unusable.run().unusable = true;
  unusable.run().headlines = {"connection refused"};
  unusable.run().plan_hash = "0000000000000000";

  const auto value = merge({saved(run.value()), saved(unusable.value())}, book());

  EXPECT_EQ(value.at("verdict"), "inconclusive");
  EXPECT_THAT(
      value.at("headlines").get<std::vector<std::string>>(),
      ElementsAre("shard 1 of 2 (GTEST_SHARD_INDEX=1) could not start: connection refused"));
}

TEST(Merge, keeps_the_fingerprints_of_cases_without_details) {
  tests::Run run;
  run.add("GET /a", "one", Verdict::kFailed).find("body/a").shard(0, 2);
  auto value = run.value();
  auto& item = value["cases"][0];
  for (const char* detail : {"sentence", "rule", "clause", "class", "steps", "planned"}) {
    item.erase(detail);
  }
  const auto finding = item["findings"][0];
  item["findings"] = {
      {{"severity", finding.at("severity")}, {"fingerprint", finding.at("fingerprint")}}};
  value["cases_left_out"] = 1;
  tests::Run empty;
  empty.leave_out("GET /a", "one").shard(1, 2);

  const auto merged = merge({saved(value), saved(empty.value())}, book());

  EXPECT_EQ(merged.at("cases"), value.at("cases"));
  EXPECT_THAT(merged.at("causes"), IsEmpty());
  EXPECT_EQ(merged.at("counts").at("errors"), 1);
  EXPECT_EQ(merged.at("cases_left_out"), 1);
  EXPECT_EQ(merged.at("verdict"), "failed");
}

// A run with a baseline of one entry, in `file`, and the entry's state and reason.
SavedRun with_baseline(std::size_t index, const std::string& file, findings::EntryState state,
                       const std::string& reason) {
  tests::Run run;
  run.add("GET /a", "one", Verdict::kPassed).shard(index, 2);
  run.run().baseline = findings::BaselineResult{.file = file, .entries = {}};
  auto& standing = run.run().baseline->entries.emplace_back();
  standing.state = state;
  standing.entry.id = "00000000000000e0";
  standing.entry.reason = reason;
  standing.entry.expires = findings::date_from("2024-01-01").value();
  return saved(run.value(), std::to_string(index) + ".json");
}

TEST(Merge, takes_one_baseline_alone_wherever_its_file_lies) {
  using findings::EntryState;
  auto first = with_baseline(0, "a/known.yaml", EntryState::kKnown, "PAY-1");
  auto same = with_baseline(1, "b/known.yaml", EntryState::kNotSeen, "PAY-1");
  auto other = with_baseline(1, "a/known.yaml", EntryState::kKnown, "PAY-2");
  for (auto* run : {&same, &other}) {
    run->value["cases"] = json::array();
  }

  EXPECT_EQ(merge({first, same}, book()).at("baseline").at("counts").at("known"), 1);
  EXPECT_THROW(merge({first, other}, book()), spec::LoadError);
}

struct Wrong {
  std::string name;
  std::function<void(json&)> change;  // of the second shard
  std::string says;
};

using WrongShards = spec::tests::RowTest;

TEST_P(WrongShards, are_one_problem_that_names_the_file_and_the_difference) {
  const Wrong& row = GetParam();

  auto second = shard_of(whole(), 1, 2);
  row.change(second);

  try {
    merge({saved(shard_of(whole(), 0, 2), "first.json"), saved(second, "second.json")}, book());
    FAIL() << "was merged";
  } catch (const spec::LoadError& error) {
    EXPECT_EQ(error.problems().size(), 1U);
    EXPECT_THAT(error.what(), HasSubstr("second.json: "));
    EXPECT_THAT(error.what(), HasSubstr(row.says));
  }
}

const std::vector<Wrong> kMergeWrongShards = {
    {"no_shard", [](json& run) { run.erase("shard"); }, "not the run of a shard"},
    {"the_same_twice", [](json& run) { run["shard"]["index"] = 0; },
     "the same shard (0) as first.json"},
    {"of_another_number", [](json& run) { run["shard"]["of"] = 3; }, "is shard 1 of 3"},
    {"another_plan", [](json& run) { run["plan"]["hash"] = "00000000000000a1"; },
     "another plan (\"00000000000000a1\", not \"00000000000000a0\")"},
    {"another_contract", [](json& run) { run["contract_hash"] = "00000000000000c1"; },
     "another contract"},
    {"another_target", [](json& run) { run["target"] = "mock"; }, "another target"},
    {"another_address", [](json& run) { run["base_url"] = "http://127.0.0.1:2"; },
     "another base URL"},
    {"another_setting", [](json& run) { run["settings"]["filter"] = "GET*"; },
     "another setting filter"},
    {"another_version", [](json& run) { run["version"] = "0.2.0"; }, "another program"},
    {"another_baseline",
     [](json& run) {
       run["baseline"] = {{"file", "known.yaml"}, {"strict", false}, {"entries", json::array()}};
     },
     "another baseline (\"entries: 0, hash: "},
    {"with_cases_of_the_other",

     [](json& run) {
       const auto other = shard_of(whole(), 0, 2);
       run["cases"] = other.at("cases");
       run["exchanges"] = other.at("exchanges");
     },
     "has a case that another shard has too"}};

INSTANTIATE_TEST_SUITE_P(Merge, WrongShards,
                         testing::ValuesIn(spec::tests::rows(kMergeWrongShards)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace contract_tests::report
