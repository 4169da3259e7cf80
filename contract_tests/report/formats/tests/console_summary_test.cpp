// The end of a run for people: a screen when it passed, causes first when it failed, and which
// operations make a run inconclusive.

#include "contract_tests/report/formats/console_summary.hpp"

#include "contract_tests/report/run_value.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

namespace contract_tests::report {
namespace {

using run::Outcome;
using run::Verdict;
using testing::HasSubstr;
using testing::Not;

// Ten operations with `cases` cases each.
run::Plan plan_of_operations(std::size_t cases) {
  run::Plan plan;
  for (std::size_t index = 0; index < 10 * cases; ++index) {
    const auto number = std::to_string(index / cases);
    auto& item = plan.cases.emplace_back();
    item.operation = "operation_" + number;
    item.operation_name = "GET /" + number;
    item.sentence = "sentence " + std::to_string(index);
    item.id = run::name_of(item.operation_name, item.sentence);
  }
  return plan;
}

Outcome passed() {
  Outcome outcome;
  outcome.verdict = Verdict::kPassed;
  return outcome;
}

Outcome skipped(const std::string& reason, bool not_allowed) {
  Outcome outcome;
  outcome.reason = reason;
  outcome.reason.kind = not_allowed ? run::Reason::Kind::kNotAllowed : run::Reason::Kind::kOther;
  return outcome;
}

Outcome with_finding(const std::string& place, checks::Severity severity) {
  checks::Finding finding;
  finding.rule = "schema/type";
  finding.place = place;
  finding.message = {"must be a string", "is 7"};
  finding.severity = severity;
  finding.fingerprint = "0123456789abcdef";
  Outcome outcome;
  outcome.findings.push_back(finding);
  outcome.verdict = verdict_of(outcome);
  return outcome;
}

Run run_of(const run::Plan& plan) {
  return {.plan = plan,
          .outcomes = {},
          .base_url = "http://127.0.0.1:1",
          .target = "service",
          .contract = "Shop 1",
          .started = "2024-01-01T00:00:00Z"};
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(Summary, of_a_run_that_passed_fits_a_screen) {
  const auto plan = plan_of_operations(100);
  auto run = run_of(plan);
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    const auto number = std::to_string(index % 7);
    const auto note = with_finding("body/member_" + std::to_string(index), checks::Severity::kNote);
    run.outcomes[index] = index % 3 == 0   ? skipped("reason " + number, true)
                          : index % 3 == 1 ? note
                                           : passed();
  }

  const auto text = formats::summary(to_json(run));

  EXPECT_EQ(exit_of(run), Exit::kPassed);
  EXPECT_LE(lines_of(text), 24U) << text;
  EXPECT_THAT(text, HasSubstr("Warnings and notes by cause\n  note schema/type GET /0: "));
  EXPECT_THAT(text, HasSubstr("  and 328 more; --report DIR lists them\n"));
  EXPECT_THAT(text, HasSubstr("Skipped: not covered\n  48 cases (GET /0, GET /1 and 8 more): "));
}

TEST(Summary, of_a_run_that_failed_has_a_line_for_each_cause) {
  const auto plan = plan_of_operations(10);
  auto run = run_of(plan);
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    run.outcomes[index] =
        with_finding("body/" + std::to_string(index) + "/name", checks::Severity::kError);
  }
  run.headlines = {"the token expired"};

  const auto text = formats::summary(to_json(run));

  EXPECT_TRUE(text.starts_with("\nthe token expired\n\nErrors by cause\n")) << text;
  EXPECT_THAT(text, HasSubstr("  error schema/type GET /0, GET /1 and 8 more: body/0/name: must be "
                              "a string, but is 7 [100 cases]"));
  EXPECT_EQ(lines_of(text), 7U) << text;
}

TEST(Summary, names_operations_that_the_run_may_not_call) {
  const auto plan = plan_of_operations(1);
  auto run = run_of(plan);
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    run.outcomes[index] = index < 8 ? passed() : skipped("allow it with --allow-writes", true);
  }

  EXPECT_EQ(exit_of(run), Exit::kPassed);
  EXPECT_THAT(formats::summary(to_json(run)),
              HasSubstr("Not covered, because this run may not call them: GET /8, GET /9."));
}

TEST(Summary, of_a_run_that_only_reads_passes_whatever_looks_at_the_other_cases) {
  auto plan = plan_of_operations(2);
  plan.cases.back().sends_nothing = true;
  auto run = run_of(plan);
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    run.outcomes[index] = index < 18 ? passed() : skipped("allow it with --allow-writes", true);
  }
  run.outcomes[19] = skipped("no request of the operation was sent", false);

  EXPECT_EQ(exit_of(run), Exit::kPassed);
  EXPECT_THAT(formats::summary(to_json(run)),
              HasSubstr("Not covered, because this run may not call them: GET /9."));
}

TEST(Summary, of_a_run_that_lacks_a_subject_is_inconclusive) {
  const auto plan = plan_of_operations(1);
  auto run = run_of(plan);
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    run.outcomes[index] = index < 9 ? passed() : skipped("the subject a is not set", false);
  }

  const auto text = formats::summary(to_json(run));

  EXPECT_EQ(exit_of(run), Exit::kInconclusive);
  EXPECT_THAT(text, HasSubstr("No case reached GET /9: the run is inconclusive."));
  EXPECT_THAT(text, Not(HasSubstr("may not call")));
}

TEST(Summary, of_a_run_without_a_case_that_ran_is_inconclusive) {
  const auto plan = plan_of_operations(1);
  auto run = run_of(plan);
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    run.outcomes[index] = skipped("allow it with --allow-writes", true);
  }

  EXPECT_EQ(exit_of(run), Exit::kInconclusive);
  EXPECT_THAT(formats::summary(to_json(run)), HasSubstr("no case ran"));
}

TEST(Summary, of_a_run_that_passed_counts_its_warnings) {
  const auto plan = plan_of_operations(1);
  auto run = run_of(plan);
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    run.outcomes[index] = with_finding("body/name", checks::Severity::kWarning);
  }

  EXPECT_THAT(formats::summary(to_json(run)),
              HasSubstr("(service): passed, with 10 warnings. 10 passed, "));
}

TEST(Summary, of_a_run_that_no_finding_fails_counts_its_failed_cases) {
  const auto plan = plan_of_operations(2);
  auto run = run_of(plan);
  run.settings.fail_on = "never";
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    run.outcomes[index] = passed();
  }
  run.outcomes[0] = with_finding("body/name", checks::Severity::kError);
  run.outcomes[1].verdict = Verdict::kInconclusive;
  run.outcomes[1].reason.caused_by = plan.cases[0].id;

  const auto text = formats::summary(to_json(run));

  EXPECT_EQ(exit_of(run), Exit::kPassed);
  EXPECT_THAT(text, HasSubstr("\nErrors by cause\n  error schema/type GET /0: "));
  EXPECT_THAT(text, HasSubstr("(service): passed, with 1 failed case. 18 passed, 1 failed, "));
}

TEST(Summary, of_a_run_that_could_not_start_is_unusable) {
  const run::Plan plan;
  auto run = run_of(plan);
  run.headlines = {"cannot connect"};
  run.unusable = true;

  EXPECT_EQ(exit_of(run), Exit::kUnusable);
  EXPECT_THAT(formats::summary(to_json(run)), HasSubstr("cannot connect\n\nShop 1 at "));
}

}  // namespace
}  // namespace contract_tests::report
