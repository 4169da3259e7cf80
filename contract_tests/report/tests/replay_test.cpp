// The result of a replay for a recorded finding, by the outcome of its case now; the findings that
// a name selects.

#include "contract_tests/report/replay.hpp"

#include "contract_tests/report/case_value.hpp"
#include "contract_tests/report/run_value.hpp"

#include <gmock/gmock.h>

#include <string>

namespace contract_tests::report {
namespace {

using run::Outcome;
using run::Verdict;
using testing::HasSubstr;

constexpr const char* kId = "0123456789abcdef";
constexpr const char* kOtherId = "fedcba9876543210";

run::Step step(const std::string& target, int status) {
  return {.request = "GET " + target, .curl = "curl " + target, .status = status, .response = ""};
}

checks::Finding finding_of(const std::string& id, checks::Severity severity) {
  checks::Finding finding;
  finding.rule = "schema/type";
  finding.place = "body/name";
  finding.message = {"must be a string", "is 7"};
  finding.severity = severity;
  finding.curl = "curl /b";
  finding.fingerprint = id;
  return finding;
}

// The case of a chain of two requests, of which the second shows the finding.
Outcome failed(const std::string& id) {
  Outcome outcome;
  outcome.steps = {step("/a", 200), step("/b", 200)};
  outcome.findings.push_back(finding_of(id, checks::Severity::kError));
  outcome.verdict = verdict_of(outcome);
  return outcome;
}

Outcome passed(std::size_t requests) {
  Outcome outcome;
  outcome.verdict = Verdict::kPassed;
  for (std::size_t made = 0; made < requests; ++made) {
    outcome.steps.push_back(step(made == 0 ? "/a" : "/b", 200));
  }
  return outcome;
}

Outcome without_verdict(Verdict verdict, const std::string& reason) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.reason = reason;
  return outcome;
}

class Replaying : public testing::Test {
 protected:
  Replaying() {
    auto& item = plan_.cases.emplace_back();
    item.operation = "list_a";
    item.operation_name = "GET /a";
    item.sentence = "two requests";
    item.id = "GET_a.two_requests";
    item.request.query = {{"size", "101"}};
    item.needs.subjects = {"customer"};
    recorded_ = to_json(report::Run{.plan = plan_, .outcomes = {{0, failed(kId)}}});
  }

  ReplayedFinding replay(Outcome now) const {
    const auto chosen = select_findings(recorded_, "");
    return compare_replay(chosen.value(), plan_, {{0, std::move(now)}}, {}).at(0);
  }

  run::Plan plan_;
  nlohmann::json recorded_;
};

TEST_F(Replaying, the_same_finding_is_still_failing) {
  const auto made = replay(failed(kId));

  EXPECT_EQ(made.state, ReplayState::kStillFailing);
  EXPECT_EQ(made.reason, "must be a string, but is 7");
  EXPECT_EQ(exit_of({made}), 1);
}

TEST_F(Replaying, another_error_of_the_case_is_failing_otherwise) {
  const auto made = replay(failed(kOtherId));

  EXPECT_EQ(made.state, ReplayState::kFailingOtherwise);
  EXPECT_THAT(made.reason, HasSubstr(kOtherId));
  EXPECT_EQ(exit_of({made}), 1);
}

TEST_F(Replaying, a_warning_alone_does_not_hide_that_it_is_fixed) {
  auto now = passed(2);
  now.findings.push_back(finding_of(kOtherId, checks::Severity::kWarning));

  EXPECT_EQ(replay(now).state, ReplayState::kFixed);
}

TEST_F(Replaying, a_case_that_sends_all_its_requests_and_passes_is_fixed) {
  const auto made = replay(passed(2));

  EXPECT_EQ(made.state, ReplayState::kFixed);
  EXPECT_EQ(exit_of({made}), 0);
}

TEST_F(Replaying, a_case_that_ends_before_the_request_that_showed_it_tells_nothing) {
  const auto made = replay(passed(1));

  EXPECT_EQ(made.state, ReplayState::kCannotTell);
  EXPECT_EQ(made.reason, "request 2 of the case showed it, and the case now ends after 1");
  EXPECT_EQ(exit_of({made}), 3);
}

TEST_F(Replaying, a_case_without_a_verdict_tells_nothing_and_says_why) {
  const auto skipped = replay(without_verdict(Verdict::kSkipped, "allow it with --allow-writes"));
  const auto undecided = replay(without_verdict(Verdict::kInconclusive, "503"));

  EXPECT_EQ(skipped.state, ReplayState::kCannotTell);
  EXPECT_EQ(skipped.reason, "allow it with --allow-writes");
  EXPECT_EQ(undecided.state, ReplayState::kCannotTell);
  EXPECT_EQ(undecided.reason, "503");
}

TEST_F(Replaying, a_subject_that_is_gone_is_no_other_failure) {
  auto now = failed(kOtherId);
  now.steps.back().status = 404;

  const auto made = replay(now);

  EXPECT_EQ(made.state, ReplayState::kCannotTell);
  EXPECT_THAT(made.reason, HasSubstr("404 for GET /b: the subject may be gone"));
}

TEST_F(Replaying, a_case_that_the_plan_no_longer_has_tells_nothing) {
  plan_.cases[0].id = "GET_a.another";

  const auto made = replay(passed(2));

  EXPECT_EQ(made.state, ReplayState::kCannotTell);
  EXPECT_THAT(made.reason, HasSubstr("no such case any more"));
}

TEST_F(Replaying, a_request_that_was_edited_is_not_called_fixed) {
  plan_.cases[0].request.query = {{"size", "51"}};

  const auto made = replay(passed(2));

  EXPECT_EQ(made.state, ReplayState::kCannotTell);
  EXPECT_EQ(made.reason, R"(the request differs: query was [["size","101"]], is [["size","51"]])");
}

TEST_F(Replaying, has_a_line_for_each_finding_and_counts_them) {
  const auto text = replay_text({replay(passed(2)), replay(failed(kId)), replay(failed(kId))});

  EXPECT_EQ(text,
            "fixed: GET /a body/name in GET_a.two_requests (id 0123456789abcdef): the case ran "
            "(requests: 2) and does not show it\n"
            "still failing: GET /a body/name in GET_a.two_requests (id 0123456789abcdef): must be "
            "a string, but is 7 [2 cases]\n"
            "2 findings: 1 fixed, 1 still failing, 0 failing otherwise, 0 cannot tell\n");
}

TEST_F(Replaying, selects_by_fingerprint_and_by_case) {
  EXPECT_EQ(select_findings(recorded_, kId).value().size(), 1U);
  EXPECT_EQ(select_findings(recorded_, "GET_a.two_requests").value().size(), 1U);
}

TEST_F(Replaying, names_what_is_near_an_unknown_name) {
  EXPECT_THAT(select_findings(recorded_, "0123456789abcdee").error(),
              HasSubstr("did you mean 0123456789abcdef?"));
  EXPECT_THAT(select_findings(recorded_, "GET_a.two_request").error(),
              HasSubstr("did you mean GET_a.two_requests?"));
}

TEST_F(Replaying, a_plan_is_recorded_without_secrets) {
  auto& request = plan_.cases[0].request;
  request.body = nlohmann::json::parse(R"({"key": "sk_of_this_test_0123456789"})");
  const client::Secrets secrets{"sk_of_this_test_0123456789"};

  const auto planned = planned_json(plan_.cases[0], {}, secrets);

  EXPECT_EQ(planned.at("requests").at(0).at("body").at("key"), "$TOKEN");
  EXPECT_EQ(planned_difference(planned, plan_.cases[0], secrets), "");
}

TEST_F(Replaying, a_request_that_is_too_long_is_recorded_by_its_hash_alone) {
  plan_.cases[0].request.raw_body = std::string(30'000, 'x');

  const auto planned = planned_json(plan_.cases[0], {}, {});
  plan_.cases[0].request.raw_body->back() = 'y';

  EXPECT_FALSE(planned.contains("requests"));
  EXPECT_EQ(planned_difference(planned, plan_.cases[0], {}), "it is too long to be shown");
}

}  // namespace
}  // namespace contract_tests::report
