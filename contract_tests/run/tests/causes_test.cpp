// One cause, one finding: what follows from the failure of a plain request, and records that a case
// removed.

#include "contract_tests/run/causes.hpp"

#include <gmock/gmock.h>

namespace contract_tests::run {
namespace {

using checks::Severity;
using testing::IsEmpty;
using testing::SizeIs;

client::Exchange exchange(std::string method, std::string target, int status) {
  client::Exchange made;
  made.sent.method = std::move(method);
  made.sent.target = std::move(target);
  made.record.head.status = status;
  made.response.status = status;
  made.ending = client::Ending::kKeptOpen;
  return made;
}

checks::Finding of_status(int status, std::string rule) {
  checks::Finding finding;
  finding.rule = std::move(rule);
  finding.place = "status";
  finding.severity = Severity::kError;
  finding.shown = std::make_shared<client::Exchange>(exchange("GET", "/notes/1", status));
  return finding;
}

// Of a case whose only response had this status.
Outcome outcome_of(int status, std::vector<checks::Finding> findings = {}) {
  Outcome outcome;
  outcome.findings = std::move(findings);
  outcome.steps.emplace_back().status = status;
  outcome.verdict = verdict_of(outcome);
  return outcome;
}

Case case_that_wants(Want want) {
  Case item;
  item.id = "read.a_case";
  item.expect.want = want;
  return item;
}

const PlainFailure kNotFound{
    "read.plain", "404 Not Found", 404, {checks::kind_of(of_status(200, "known"))}};

TEST(Lean, takes_what_follows_from_the_failure_of_the_plain_request) {
  const auto outcome = lean(outcome_of(404, {of_status(404, "new"), of_status(200, "known")}),
                            case_that_wants(Want::kAccepted), kNotFound);

  EXPECT_THAT(outcome.findings, IsEmpty());
  EXPECT_EQ(outcome.verdict, Verdict::kInconclusive);
  EXPECT_EQ(outcome.leans_on, "read.plain");
  EXPECT_EQ(outcome.reason,
            "the plain request of the operation fails (404 Not Found): see read.plain");
}

TEST(Lean, leaves_a_server_error_that_the_plain_request_does_not_get) {
  const auto outcome =
      lean(outcome_of(500, {of_status(500, "new")}), case_that_wants(Want::kAccepted), kNotFound);

  EXPECT_THAT(outcome.findings, SizeIs(1));
  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.leans_on, "");
}

TEST(Lean, leaves_a_rejection_that_is_not_the_one_of_the_plain_request) {
  const auto rejected = case_that_wants(Want::kUnauthorized);

  EXPECT_EQ(lean(outcome_of(401), rejected, kNotFound).verdict, Verdict::kPassed);
  EXPECT_EQ(lean(outcome_of(404), rejected, kNotFound).leans_on, "read.plain");
}

TEST(Lean, leaves_an_invalid_request_that_is_accepted) {
  const auto outcome =
      lean(outcome_of(200, {of_status(200, "new")}), case_that_wants(Want::kRejected), kNotFound);

  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
}

TEST(Lean, leaves_a_case_of_server_errors_that_passed) {
  auto item = case_that_wants(Want::kHandled);
  item.expect.gateway = true;

  EXPECT_EQ(lean(outcome_of(404), item, kNotFound).verdict, Verdict::kPassed);
}

TEST(Causes, know_by_which_case_a_record_was_deleted) {
  Causes causes;
  causes.note(exchange("DELETE", "/notes/1", 204), "remove.plain");

  const auto later = exchange("GET", "/notes/1?part=title", 404);
  EXPECT_EQ(causes.removed_by(later, "read.plain"), "remove.plain");
  EXPECT_EQ(causes.removed_by(exchange("PUT", "/notes/1/tags", 410), "tag.plain"), "remove.plain");
  EXPECT_EQ(causes.removed_by(later, "remove.plain"), "");
  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/2", 404), "read.plain"), "");
  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1", 500), "read.plain"), "");
}

TEST(Causes, forget_a_record_that_is_there_again) {
  Causes causes;
  causes.note(exchange("DELETE", "/notes/1", 204), "remove.plain");
  causes.note(exchange("GET", "/notes/1", 200), "read.plain");

  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1", 404), "read.other"), "");
}

TEST(Causes, know_who_may_have_removed_a_record_that_was_there) {
  Causes causes;
  causes.note(exchange("GET", "/notes/1", 200), "read.plain");
  causes.note(exchange("POST", "/notes/1", 405), "probe.post");

  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1", 404), "read.other"), "probe.post");
  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1/tags", 404), "read.other"), "");
}

TEST(Causes, do_not_blame_a_reader) {
  Causes causes;
  causes.note(exchange("GET", "/notes/1", 200), "read.plain");

  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1", 404), "read.other"), "");
}

}  // namespace
}  // namespace contract_tests::run
