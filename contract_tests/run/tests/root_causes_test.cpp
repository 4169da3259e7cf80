// One cause, one finding: what follows from the failure of a plain request, and records that a case
// removed.

#include "contract_tests/run/root_causes.hpp"

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

// The outcome of a case whose only response had this status.
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

const Failure kNotFound{"read.plain",
                        "404 Not Found",
                        404,
                        {key_of(of_status(200, "known"), checks::KeyScope::kViolation)}};

TEST(ExplainByPlain, takes_what_follows_from_the_failure_of_the_plain_request) {
  const auto outcome =
      explain_by_plain(outcome_of(404, {of_status(404, "new"), of_status(200, "known")}),
                       case_that_wants(Want::kAccepted), kNotFound);

  EXPECT_THAT(outcome.findings, IsEmpty());
  EXPECT_EQ(outcome.verdict, Verdict::kInconclusive);
  EXPECT_EQ(outcome.reason.caused_by, "read.plain");
  EXPECT_EQ(outcome.reason.words,
            "the plain request of the operation fails (404 Not Found): see read.plain");
}

TEST(ExplainByPlain, leaves_a_server_error_that_the_plain_request_does_not_get) {
  const auto outcome = explain_by_plain(outcome_of(500, {of_status(500, "new")}),
                                        case_that_wants(Want::kAccepted), kNotFound);

  EXPECT_THAT(outcome.findings, SizeIs(1));
  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.reason.caused_by, "");
}

TEST(ExplainByPlain, leaves_a_rejection_that_is_not_the_one_of_the_plain_request) {
  const auto rejected = case_that_wants(Want::kUnauthorized);

  EXPECT_EQ(explain_by_plain(outcome_of(401), rejected, kNotFound).verdict, Verdict::kPassed);
  EXPECT_EQ(explain_by_plain(outcome_of(404), rejected, kNotFound).reason.caused_by, "read.plain");
}

TEST(ExplainByPlain, leaves_an_invalid_request_that_is_accepted) {
  const auto outcome = explain_by_plain(outcome_of(200, {of_status(200, "new")}),
                                        case_that_wants(Want::kRejected), kNotFound);

  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
}

TEST(ExplainByPlain, leaves_a_case_of_server_errors_that_passed) {
  auto item = case_that_wants(Want::kHandled);
  item.expect.gateway = true;

  EXPECT_EQ(explain_by_plain(outcome_of(404), item, kNotFound).verdict, Verdict::kPassed);
}

// A failure of an operation with rules.
const Failure kServerError{"read.plain", "500 Internal Server Error", 500, {"known"}, true};

TEST(ExplainByPlainWithRules, takes_the_status_of_the_plain_request_whatever_was_asked) {
  const auto outcome = explain_by_plain(outcome_of(500, {of_status(500, "new")}),
                                        case_that_wants(Want::kHandled), kServerError);

  EXPECT_THAT(outcome.findings, IsEmpty());
  EXPECT_EQ(outcome.verdict, Verdict::kInconclusive);
  EXPECT_EQ(outcome.reason.caused_by, "read.plain");
}

TEST(ExplainByPlainWithRules, leaves_another_status) {
  const auto outcome = explain_by_plain(outcome_of(404, {of_status(404, "new")}),
                                        case_that_wants(Want::kAccepted), kServerError);

  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_THAT(outcome.findings, SizeIs(1));
}

TEST(ExplainByPlainWithRules, leaves_a_case_that_passed_with_another_status) {
  EXPECT_EQ(
      explain_by_plain(outcome_of(200), case_that_wants(Want::kAccepted), kServerError).verdict,
      Verdict::kPassed);
}

const Failure kOpen{"read.unauthenticated", "200 OK", 200, {"known"}};

Case case_about_credentials() {
  auto item = case_that_wants(Want::kUnauthorized);
  item.about_credentials = true;
  return item;
}

TEST(ExplainByUnauthenticated, takes_a_success_that_needs_no_credentials) {
  const auto outcome = explain_by_unauthenticated(outcome_of(200, {of_status(200, "new")}),
                                                  case_about_credentials(), kOpen);

  EXPECT_THAT(outcome.findings, IsEmpty());
  EXPECT_EQ(outcome.verdict, Verdict::kInconclusive);
  EXPECT_EQ(outcome.reason.caused_by, "read.unauthenticated");
  EXPECT_EQ(outcome.reason.words,
            "a request without credentials gets 200 OK too: see read.unauthenticated");
}

TEST(ExplainByUnauthenticated, leaves_another_status_even_with_the_same_fingerprint) {
  const auto outcome = explain_by_unauthenticated(outcome_of(500, {of_status(500, "known")}),
                                                  case_about_credentials(), kOpen);

  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.reason.caused_by, "");
}

TEST(ExplainByUnauthenticated, leaves_credentials_that_are_rejected_and_other_cases) {
  EXPECT_EQ(explain_by_unauthenticated(outcome_of(401), case_about_credentials(), kOpen).verdict,
            Verdict::kPassed);
  EXPECT_THAT(explain_by_unauthenticated(outcome_of(200, {of_status(200, "new")}),
                                         case_that_wants(Want::kRejected), kOpen)
                  .findings,
              SizeIs(1));
}

TEST(RootCauses, know_by_which_case_a_record_was_deleted) {
  RootCauses causes;
  causes.note(exchange("DELETE", "/notes/1", 204), "remove.plain");

  const auto later = exchange("GET", "/notes/1?part=title", 404);
  EXPECT_EQ(causes.removed_by(later, "read.plain"), "remove.plain");
  EXPECT_EQ(causes.removed_by(exchange("PUT", "/notes/1/tags", 410), "tag.plain"), "remove.plain");
  EXPECT_EQ(causes.removed_by(later, "remove.plain"), "");
  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/2", 404), "read.plain"), "");
  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1", 500), "read.plain"), "");
}

TEST(RootCauses, know_by_which_case_a_record_was_deleted_when_it_is_deleted_again) {
  RootCauses causes;
  causes.note(exchange("DELETE", "/notes/1", 204), "remove.plain");

  const auto again = exchange("DELETE", "/notes/1", 404);
  causes.note(again, "remove.cors");

  EXPECT_EQ(causes.removed_by(again, "remove.cors"), "remove.plain");
}

TEST(RootCauses, forget_a_record_that_is_there_again) {
  RootCauses causes;
  causes.note(exchange("DELETE", "/notes/1", 204), "remove.plain");
  causes.note(exchange("GET", "/notes/1", 200), "read.plain");

  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1", 404), "read.other"), "");
}

TEST(RootCauses, know_who_may_have_removed_a_record_that_was_there) {
  RootCauses causes;
  causes.note(exchange("GET", "/notes/1", 200), "read.plain");
  causes.note(exchange("POST", "/notes/1", 405), "probe.post");

  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1", 404), "read.other"), "probe.post");
  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1/tags", 404), "read.other"), "");
}

TEST(RootCauses, know_which_record_went_with_another_also_of_an_operation_with_rules) {
  RootCauses causes;
  causes.note(exchange("DELETE", "/notes/1", 204), "remove.plain");
  causes.note_removed("/notes/2?a=1", "create.plain");

  const auto read = exchange("GET", "/notes/2", 404);
  EXPECT_EQ(causes.removed_by(read, "read.plain", true), "create.plain");
  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1", 404), "read.plain", true), "");
  causes.note(exchange("GET", "/notes/2", 200), "read.plain");
  EXPECT_EQ(causes.removed_by(read, "read.other", true), "");
}

TEST(RootCauses, do_not_blame_a_reader) {
  RootCauses causes;
  causes.note(exchange("GET", "/notes/1", 200), "read.plain");

  EXPECT_EQ(causes.removed_by(exchange("GET", "/notes/1", 404), "read.other"), "");
}

// A request that was sent so long ago and has just got no response.
client::Exchange without_response(std::chrono::milliseconds since) {
  client::Exchange made;
  made.sent.method = "GET";
  made.sent.target = "/notes/1";
  made.ending = client::Ending::kNothing;
  made.timing.total = since;
  return made;
}

TEST(RootCauses, know_the_first_request_without_a_response_among_those_at_the_same_time) {
  RootCauses causes;
  causes.note(without_response(std::chrono::milliseconds(5)), "beside");
  causes.note(without_response(std::chrono::milliseconds(900)), "deadly");
  causes.note(without_response(std::chrono::milliseconds(0)), "after");

  EXPECT_EQ(causes.silent_since(), "deadly");
}

TEST(RootCauses, forget_a_silence_when_a_later_request_gets_a_response) {
  RootCauses causes;
  causes.note(without_response(std::chrono::milliseconds(5)), "early");
  auto before = exchange("GET", "/notes/2", 200);
  before.timing.total = std::chrono::hours(1);
  causes.note(before, "other");
  EXPECT_EQ(causes.silent_since(), "early");

  causes.note(exchange("GET", "/notes/2", 200), "other");
  EXPECT_EQ(causes.silent_since(), "");
}

}  // namespace
}  // namespace contract_tests::run
