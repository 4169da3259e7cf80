// The baseline in reports: the verdict of the run, its last line, JUnit, and the entries to look
// at.

#include "contract_tests/report/baseline_value.hpp"

#include "contract_tests/report/formats/console_summary.hpp"
#include "contract_tests/report/formats/junit.hpp"
#include "contract_tests/report/run_value.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

namespace contract_tests::report {
namespace {

using findings::EntryState;
using run::Outcome;
using run::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

run::Plan plan_of_cases(std::size_t count) {
  run::Plan plan;
  for (std::size_t index = 0; index < count; ++index) {
    auto& item = plan.cases.emplace_back();
    item.operation = "read";
    item.operation_name = "GET /a";
    item.sentence = "case " + std::to_string(index);
    item.id = run::name_of(item.operation_name, item.sentence);
  }
  return plan;
}

findings::EntryResult standing(EntryState state, long days_left, const std::string& id = "a") {
  const auto today = std::chrono::sys_days(std::chrono::year(2026) / 10 / 20);
  findings::EntryResult made{.entry = {}, .state = state, .days_left = days_left};
  made.entry.id = id;
  made.entry.rule = "schema/type";
  made.entry.operation = "GET /a";
  made.entry.place = "body";
  made.entry.reason = "fixed in release 34";
  made.entry.owner = "billing";
  made.entry.expires = today + std::chrono::days(days_left);
  return made;
}

Outcome failed_by(const std::string& fingerprint, checks::FindingState state) {
  checks::Finding finding;
  finding.rule = "schema/type";
  finding.operation = "GET /a";
  finding.place = "body";
  finding.message = {"must be a string", "is 7"};
  finding.fingerprint = fingerprint;
  finding.state = state;
  Outcome outcome;
  outcome.findings.push_back(finding);
  outcome.verdict = verdict_of(outcome);
  return outcome;
}

Outcome all_right() {
  Outcome outcome;
  outcome.verdict = Verdict::kPassed;
  return outcome;
}

Outcome caused_by(const std::string& id) {
  Outcome outcome;
  outcome.verdict = Verdict::kInconclusive;
  outcome.reason = "the plain request fails";
  outcome.reason.caused_by = id;
  return outcome;
}

class BaselineReports : public testing::Test {
 protected:
  BaselineReports() { run_.baseline = findings::BaselineResult{.file = "b.yaml", .entries = {}}; }

  std::string last_line() const {
    const auto text = formats::summary(to_json(run_));
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  }

  run::Plan plan_ = plan_of_cases(3);
  report::Run run_{.plan = plan_,
                   .outcomes = {},
                   .base_url = "http://127.0.0.1:1",
                   .target = "service",
                   .contract = "Shop 1",
                   .started = "2024-01-01T00:00:00Z"};
};

TEST_F(BaselineReports, a_run_with_known_findings_passes_and_says_so) {
  run_.outcomes = {{0, failed_by("a", checks::FindingState::kKnown)},
                   {1, caused_by(plan_.cases[0].id)}};
  run_.baseline->entries = {standing(EntryState::kKnown, 9)};

  const auto value = to_json(run_);

  EXPECT_EQ(exit_of(run_), Exit::kPassed);
  EXPECT_EQ(value.at("counts").at("known"), 1);
  EXPECT_EQ(value.at("counts").at("failed"), 0);
  EXPECT_EQ(value.at("cases").at(0).at("verdict"), "known");
  EXPECT_EQ(value.at("cases").at(0).at("findings").at(0).at("state"), "known");
  EXPECT_EQ(value.at("causes").at(0).at("state"), "known");
  EXPECT_THAT(last_line(),
              HasSubstr("(service): passed, with 1 known finding (1 expires in 9 days). "
                        "0 passed, 0 failed, 1 known, 1 inconclusive, "));
  EXPECT_THAT(formats::summary(value),
              HasSubstr("Inconclusive\n  1 case (GET /a): caused by a case with known "
                        "findings\n"));
  EXPECT_THAT(formats::summary(value), Not(HasSubstr("Errors by cause")));
}

TEST_F(BaselineReports, a_run_stays_inconclusive) {
  run_.outcomes = {{0, failed_by("a", checks::FindingState::kKnown)},
                   {1, caused_by("another.case")}};
  EXPECT_EQ(exit_of(run_), Exit::kInconclusive);

  run_.outcomes[1] = caused_by("");
  EXPECT_EQ(exit_of(run_), Exit::kInconclusive);
}

TEST_F(BaselineReports, new_and_expired_findings_fail_and_come_first) {
  run_.outcomes = {{0, failed_by("a", checks::FindingState::kKnown)},
                   {1, failed_by("b", checks::FindingState::kExpired)},
                   {2, failed_by("c", checks::FindingState::kNew)}};
  run_.baseline->entries = {standing(EntryState::kKnown, 90),
                            standing(EntryState::kExpired, -1, "b")};
  run_.baseline->unknown = 1;

  const auto value = to_json(run_);

  EXPECT_EQ(exit_of(run_), Exit::kFailed);
  EXPECT_EQ(value.at("causes").at(0).at("state"), "expired");
  EXPECT_EQ(value.at("causes").at(1).at("state"), "new");
  EXPECT_EQ(value.at("causes").at(2).at("state"), "known");
  EXPECT_EQ(
      value.at("baseline").at("counts"),
      nlohmann::json::parse(R"({"new":1,"known":1,"expired":1,"fixed":0,"not_seen":0,"stale":0})"));
  EXPECT_THAT(last_line(),
              HasSubstr(": failed, with 1 known finding. 0 passed, 2 failed, 1 known, "));
}

TEST_F(BaselineReports, fixed_entries_fail_where_they_must_not_stay) {
  run_.outcomes = {{0, all_right()}};
  run_.baseline->entries = {standing(EntryState::kFixed, 9)};
  EXPECT_EQ(exit_of(run_), Exit::kPassed);
  EXPECT_THAT(last_line(), HasSubstr(": passed. 1 passed"));

  run_.baseline->strict = true;

  EXPECT_EQ(exit_of(run_), Exit::kFailed);
  EXPECT_THAT(formats::summary(to_json(run_)), HasSubstr("drop them with --baseline-prune"));
  EXPECT_THAT(formats::junit(to_json(run_)),
              HasSubstr("<error message=\"the baseline has entries"));
}

TEST_F(BaselineReports, junit_skips_known_cases_with_the_reason) {
  run_.outcomes = {{0, failed_by("a", checks::FindingState::kKnown)},
                   {1, failed_by("c", checks::FindingState::kNew)}};
  run_.outcomes[1].findings.push_back(run_.outcomes[0].findings[0]);
  run_.baseline->entries = {standing(EntryState::kKnown, 42)};
  run_.baseline->entries[0].entry.ticket = "PAY-812";

  const auto xml = formats::junit(to_json(run_));

  EXPECT_THAT(xml, HasSubstr("failures=\"1\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"known until 2026-12-01: fixed in release 34 "
                             "(billing, PAY-812)\"/>"));
}

TEST_F(BaselineReports, every_entry_to_look_at_has_a_line) {
  run_.baseline->entries = {
      standing(EntryState::kKnown, 15),        standing(EntryState::kKnown, 14),
      standing(EntryState::kKnown, 1),         standing(EntryState::kKnown, 0),
      standing(EntryState::kExpired, -1),      standing(EntryState::kFixed, 3),
      standing(EntryState::kStale, 3, "gone"), standing(EntryState::kNotSeen, 3)};
  run_.baseline->pruned = {"gone"};
  run_.baseline->written = {"b", "c"};
  run_.baseline->not_written = {"d"};

  const auto value = to_json(run_);

  EXPECT_THAT(
      baseline_lines(value),
      ElementsAre(
          "expired on 2026-10-19: schema/type GET /a body (billing)",
          "expires in 14 days: schema/type GET /a body (billing)",
          "expires in 1 day: schema/type GET /a body (billing)",
          "expires today: schema/type GET /a body (billing)",
          "fixed: schema/type GET /a body (billing); --baseline-prune drops it from the file",
          "stale, because the contract or the rule book no longer says it: schema/type GET "
          "/a body (billing); it was dropped from the file",
          "not seen: 1 entry; not all of their cases ran and passed",
          "written: 2 new findings; the next run knows them",
          "not written: 1 leak of tokens or of internals of the server, which no baseline "
          "can hold"));
  EXPECT_EQ(with_known(value), ", with 4 known findings (3 expire within 14 days)");
}

TEST_F(BaselineReports, without_one_nothing_is_said) {
  run_.baseline.reset();
  run_.outcomes = {{0, all_right()}};
  const auto value = to_json(run_);

  EXPECT_FALSE(value.contains("baseline"));
  EXPECT_FALSE(value.at("counts").contains("known"));
  EXPECT_EQ(with_known(value), "");
  EXPECT_THAT(baseline_lines(value), ElementsAre());
}

}  // namespace
}  // namespace contract_tests::report
