// Severities, the pace of requests, and repeated cases.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

namespace contract_tests::run {
namespace {

namespace fs = std::filesystem;
using checks::Severity;
using spec::contract::StatementClass;
using std::chrono::milliseconds;
using std::chrono::seconds;

const fs::path kRules = fs::path(test_paths::source()) / "contract_tests/rules";

plan::Severities read(const std::string& text) {
  const test_support::Folder folder;
  const auto file = folder.write("severities.yaml", text);
  plan::DataFiles files(kRules / "schemas");
  return plan::load_severities(files, file, plan::load_rule_book(files, kRules / "rule_book.yaml"));
}

TEST(Tally, calls_flaky_only_what_the_same_request_did_not_get_again) {
  Tally tally;
  for (int request = 0; request < 10; ++request) {
    tally.note("GET /a", 200);
    tally.note("GET /a", request < 4 ? 502 : 200);
  }
  EXPECT_THAT(check_count(tally.counts().at("GET /a")), testing::IsEmpty());

  tally.note_recovery("GET /a", 2);
  EXPECT_THAT(check_count(tally.counts().at("GET /a")),
              testing::ElementsAre(testing::Field(&checks::RuleViolation::rule, "status/flaky")));
}

TEST(Tally, calls_what_is_constant_never_usable) {
  Tally tally;
  for (int request = 0; request < 10; ++request) {
    tally.note("GET /a", request < 5 ? 503 : 429);
  }

  const auto violations = check_count(tally.counts().at("GET /a"));

  ASSERT_THAT(violations, testing::SizeIs(1));
  EXPECT_EQ(violations.front().rule, "status/never-usable");
  EXPECT_EQ(violations.front().message().text(),
            "must succeed sometimes, but all 10 responses were 429 and 503");
}

TEST(Tally, says_when_every_invalid_request_is_accepted) {
  Tally tally;
  for (int request = 0; request < 11; ++request) {
    tally.note_invalid(request % 2 == 0 ? "GET /a" : "GET /b", true);
  }
  EXPECT_THAT(check_acceptance(tally.counts()), testing::IsEmpty());

  tally.note_invalid("GET /b", true);
  EXPECT_THAT(check_acceptance(tally.counts()), testing::SizeIs(1));

  tally.note_invalid("GET /a", false);
  EXPECT_THAT(check_acceptance(tally.counts()), testing::IsEmpty());
}

struct Nearest {
  std::string name;
  std::string text;
  std::string rule;
  int status;
  std::optional<plan::Weight> weight;
};

using NearestWeight = spec::tests::RowTest;

constexpr plan::Weight kOff{.off = true, .severity = Severity::kNote};
constexpr plan::Weight kWarning{.severity = Severity::kWarning};
constexpr plan::Weight kError{.severity = Severity::kError};

TEST_P(NearestWeight, is_used) {
  const Nearest& row = GetParam();

  const checks::Source source{.clause = "§4.3", .statement_class = StatementClass::kStandard};

  const auto weight = plan::weight_of(read(row.text), row.rule, source, row.status);

  EXPECT_EQ(weight, row.weight);
}

const std::vector<Nearest> kSeveritiesNearestWeight = {
    {"nothing_said", "{}", "http/date", 200, std::nullopt},
    {"rule", "rules: {http/date: error, http/*: warning}", "http/date", 200, kError},
    {"family", "rules: {http/*: warning}\nclauses: {\"§4.3\": error}", "http/date", 200, kWarning},
    {"clause", "clauses: {\"§4.3\": warning}\nclasses: {standard: error}", "http/date", 200,
     kWarning},
    {"other_clause", "clauses: {\"§4.2\": warning}", "http/date", 200, std::nullopt},
    {"statement_class", "classes: {standard: \"off\"}", "http/date", 200, kOff},
    {"other_class", "classes: {document: \"off\"}", "http/date", 200, std::nullopt},
    {"unlisted", "unlisted_statuses: {401: \"off\", 4xx: error}", "status/undeclared", 401, kOff},
    {"unlisted_range", "unlisted_statuses: {401: \"off\", 4xx: error}", "status/undeclared", 418,
     kError},
    {"unlisted_of_another_rule", "unlisted_statuses: {401: \"off\"}", "status/success", 401,
     std::nullopt}};

INSTANTIATE_TEST_SUITE_P(Severities, NearestWeight,
                         testing::ValuesIn(spec::tests::rows(kSeveritiesNearestWeight)),
                         spec::tests::kRowNames);

struct Unreadable {
  std::string name;
  std::string text;
  std::string says;
};

using UnreadableSeverities = spec::tests::RowTest;

TEST_P(UnreadableSeverities, are_rejected_with_the_place) {
  const Unreadable& row = GetParam();

  std::string said;
  try {
    read(row.text);
  } catch (const spec::LoadError& error) {
    said = error.what();
  }

  EXPECT_THAT(said, testing::HasSubstr(row.says));
}

const std::vector<Unreadable> kSeveritiesUnreadableSeverities = {
    {"rule", "rules: {http/no-such: error}", "/rules/http/no-such"},
    {"family", "rules: {nothing/*: error}", "/rules/nothing/*"},
    {"weight", "rules: {http/date: fatal}", "/rules/http~1date"},
    {"block", "rulez: {}", "rulez"}};

INSTANTIATE_TEST_SUITE_P(Severities, UnreadableSeverities,
                         testing::ValuesIn(spec::tests::rows(kSeveritiesUnreadableSeverities)),
                         spec::tests::kRowNames);

TEST(Severities, by_default_warn_of_unlisted_statuses_unless_they_are_those_of_HTTP) {
  plan::DataFiles files(kRules / "schemas");
  const auto book = plan::load_rule_book(files, kRules / "rule_book.yaml");

  const auto severities = plan::load_severities(files, kRules / "severities.yaml", book);

  EXPECT_EQ(plan::weight_of(severities, "status/undeclared", {}, 405)->severity,
            checks::Severity::kNote);
  EXPECT_EQ(plan::weight_of(severities, "status/undeclared", {}, 409), kWarning);
  EXPECT_EQ(plan::weight_of(severities, "status/undeclared", {}, 500), kError);
  EXPECT_EQ(plan::weight_of(severities, "status/undeclared", {}, 503)->severity,
            checks::Severity::kNote);
}

TEST(Pace, allows_a_limited_number_of_requests) {
  Pace pace({.requests = 2});

  EXPECT_EQ(pace.admit(), "");
  EXPECT_EQ(pace.closed(), "");
  EXPECT_EQ(pace.admit(), "");
  EXPECT_THAT(pace.admit(), testing::HasSubstr("--max-requests (2)"));
  EXPECT_THAT(pace.closed(), testing::HasSubstr("--max-requests (2)"));
}

TEST(Pace, reserves_requests_to_undo_changes) {
  Pace pace({.requests = 4});

  EXPECT_TRUE(pace.reserve());
  EXPECT_EQ(pace.admit(), "");  // the change
  EXPECT_EQ(pace.admit(), "");
  EXPECT_FALSE(pace.reserve());  // one is left, and a change needs two
  EXPECT_EQ(pace.admit(), "");
  EXPECT_THAT(pace.admit(), testing::HasSubstr("--max-requests (4)"));
  pace.admit_reserved();
  EXPECT_EQ(pace.sent(), 4U);
}

TEST(Pace, reserves_as_many_as_an_undo_needs) {
  Pace pace({.requests = 3});

  EXPECT_FALSE(pace.reserve(3));
  EXPECT_TRUE(pace.reserve(2));
  EXPECT_EQ(pace.admit(), "");
  EXPECT_NE(pace.admit(), "");
}

TEST(Pace, allows_requests_that_are_no_longer_reserved) {
  Pace pace({.requests = 2});

  EXPECT_TRUE(pace.reserve());
  EXPECT_EQ(pace.admit(), "");
  EXPECT_NE(pace.admit(), "");
  pace.release();
  EXPECT_EQ(pace.admit(), "");
  EXPECT_EQ(pace.sent(), 2U);
}

TEST(Pace, counts_requests_sent_before_it) {
  Pace pace({.requests = 2, .spent = 1});

  EXPECT_EQ(pace.admit(), "");
  EXPECT_THAT(pace.admit(), testing::HasSubstr("--max-requests (2)"));
}

TEST(Pace, allows_no_extra_request_to_several_workers) {
  Pace pace({.requests = 1'000});
  std::atomic<int> admitted = 0;
  std::vector<std::jthread> workers(8);

  for (auto& worker : workers) {
    worker = std::jthread([&] {
      while (pace.admit().empty()) {
        ++admitted;
      }
    });
  }
  workers.clear();

  EXPECT_EQ(admitted, 1'000);
}

TEST(Pace, does_not_count_a_request_stopped_by_the_deadline) {
  Pace pace({.per_second = 0.01, .time = seconds(1)});

  EXPECT_EQ(pace.admit(), "");
  EXPECT_THAT(pace.admit(), testing::HasSubstr("--deadline (1 s)"));
  EXPECT_EQ(pace.sent(), 1U);
}

TEST(Pace, spaces_requests_by_the_rate) {
  Pace pace({.per_second = 50});
  const auto start = Pace::Clock::now();

  for (int request = 0; request < 6; ++request) {
    EXPECT_EQ(pace.admit(), "");
  }

  EXPECT_GE(Pace::Clock::now() - start, milliseconds(100));  // five gaps of 20 ms
}

TEST(Pace, ends_with_the_deadline) {
  const Pace over({.time = seconds(1)}, Pace::Clock::now() - seconds(2));
  Pace also_over({.time = seconds(1)}, Pace::Clock::now() - seconds(2));

  EXPECT_THAT(over.closed(), testing::HasSubstr("--deadline (1 s)"));
  EXPECT_THAT(also_over.admit(), testing::HasSubstr("--deadline (1 s)"));
}

TEST(Pace, waits_when_a_server_asks_it_to) {
  Pace pace({});
  const auto start = Pace::Clock::now();

  EXPECT_TRUE(pace.hold(milliseconds(60)));
  EXPECT_EQ(pace.admit(), "");

  EXPECT_GE(Pace::Clock::now() - start, milliseconds(60));
}

TEST(Pace, waits_no_longer_in_all_than_its_patience) {
  Pace pace({.max_wait = seconds(500)});  // nothing here waits

  EXPECT_FALSE(pace.hold(seconds(600)));
  EXPECT_TRUE(pace.hold(seconds(400)));
  EXPECT_TRUE(pace.hold(seconds(300)));  // lies within the first
  EXPECT_FALSE(pace.hold(seconds(700)));
}

TEST(Pace, counts_every_wait) {
  Pace pace({.max_wait = milliseconds(50)});

  EXPECT_TRUE(pace.sleep(milliseconds(20)));
  EXPECT_TRUE(pace.sleep(milliseconds(20)));
  EXPECT_FALSE(pace.sleep(milliseconds(20)));
  EXPECT_EQ(pace.waited(), milliseconds(40));
}

TEST(Pace, reserves_a_third_of_its_patience_to_undo_changes) {
  Pace pace({.max_wait = milliseconds(90)});
  EXPECT_TRUE(pace.reserve(2));

  EXPECT_FALSE(pace.hold(milliseconds(70)));
  EXPECT_TRUE(pace.hold(milliseconds(60)));
  EXPECT_TRUE(pace.admit_again(milliseconds(30)));
  EXPECT_FALSE(pace.admit_again(milliseconds(1)));
}

TEST(Pace, does_not_wait_beyond_the_deadline) {
  Pace pace({.time = seconds(30)});

  EXPECT_FALSE(pace.hold(seconds(60)));
}

TEST(Pace, notices_an_interruption_while_it_sleeps) {
  Pace pace({.max_wait = seconds(600)});
  std::jthread other([&pace] {
    std::this_thread::sleep_for(milliseconds(20));
    pace.interrupt();
  });

  EXPECT_FALSE(pace.sleep(seconds(600)));
  EXPECT_EQ(pace.admit(), "the run was interrupted");
}

TEST(Status, of_another_account_is_skipped_when_its_token_is_invalid) {
  const auto contract =
      spec::contract::load_contract(fs::path(test_paths::source()) / "spec/payments.openapi.yaml");
  const auto& operation = *contract.operation("get_customer_handler");
  const auto verdict = [&](int status) {
    return check_status(contract, operation, {.want = Want::kRejected}, {"auth/other-account", {}},
                        status);
  };

  EXPECT_THAT(verdict(401).cannot_test, testing::HasSubstr("--other-token"));
  EXPECT_THAT(verdict(401).violations, testing::IsEmpty());
  EXPECT_EQ(verdict(404).cannot_test, "");
  EXPECT_THAT(verdict(404).violations, testing::IsEmpty());
  EXPECT_EQ(verdict(200).violations.size(), 1U);
}

// A download that only redirects, an operation that always rejects.
TEST(Status, of_an_operation_without_a_success_is_one_that_it_declares) {
  const test_support::Folder folder;
  const auto contract = spec::contract::load_contract(folder.write("c.yaml", R"(openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /moved: {get: {operationId: moved, responses: {"302": {description: m}}}}
  /open: {get: {operationId: open, responses: {"302": {description: m}, default: {description: d}}}}
  /usual: {get: {operationId: usual, responses: {"200": {description: k}, "302": {description: m}}}}
  /file: {get: {operationId: file, responses: {"3XX": {description: m}, "404": {description: n}}}}
  /gone: {get: {operationId: gone, responses: {"404": {description: n}}}}
)"));
  const auto verdict = [&](const std::string& operation, int status) {
    return check_status(contract, *contract.operation(operation), {.want = Want::kAccepted},
                        {"status/success", {}}, status);
  };

  EXPECT_TRUE(verdict("moved", 302).accepted);
  EXPECT_THAT(verdict("moved", 302).violations, testing::IsEmpty());
  EXPECT_THAT(verdict("moved", 301).violations, testing::SizeIs(1));
  EXPECT_THAT(verdict("moved", 500).violations, testing::SizeIs(1));
  EXPECT_THAT(verdict("open", 302).violations, testing::SizeIs(1));
  EXPECT_TRUE(verdict("open", 201).accepted);
  EXPECT_THAT(verdict("usual", 302).violations, testing::SizeIs(1));
  EXPECT_TRUE(verdict("file", 307).accepted);
  EXPECT_THAT(verdict("file", 404).violations, testing::SizeIs(1));
  EXPECT_TRUE(verdict("gone", 404).accepted);
}

TEST(Status, of_a_documented_failure_is_inconclusive_where_no_rejection_is_wanted) {
  const test_support::Folder folder;
  const auto contract = spec::contract::load_contract(folder.write("c.yaml", R"(openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /a: {get: {operationId: a, responses: {"200": {description: k}, "500": {description: e}}}}
)"));
  const auto verdict = [&](const Expectation& expect) {
    return check_status(contract, *contract.operation("a"), expect, {"status/success", {}}, 500);
  };

  for (const Expectation& expect :
       {Expectation{.want = Want::kAccepted}, Expectation{.want = Want::kAnything},
        Expectation{.want = Want::kStatus, .statuses = {304}}}) {
    EXPECT_EQ(verdict(expect).inconclusive,
              "500 Internal Server Error, a documented failure of the service");
    EXPECT_THAT(verdict(expect).violations, testing::IsEmpty());
  }
  EXPECT_EQ(verdict({.want = Want::kStatus, .statuses = {500}}).inconclusive, "");
  EXPECT_THAT(verdict({.want = Want::kRejected}).violations, testing::SizeIs(1));
}

TEST(Status, of_an_unknown_identifier_is_a_hostile_one_where_the_server_error_is_not_declared) {
  const auto contract = spec::contract::load_contract_text(
      "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n"
      "  /a: {get: {operationId: a, responses: {'404': {description: n}}}}\n"
      "  /b: {get: {operationId: b, responses: {'500': {description: e}}}}\n");
  const auto rule_of = [&](const std::string& operation) {
    return check_status(contract, *contract.operation(operation), {.want = Want::kRejected},
                        {"status/unknown", {}}, 500)
        .violations.at(0)
        .rule;
  };

  EXPECT_EQ(rule_of("a"), "status/hostile");
  EXPECT_EQ(rule_of("b"), "status/unknown");
}

TEST(Status, of_an_unusual_rejection_is_reported_with_the_usual_ones) {
  const auto contract =
      spec::contract::load_contract(fs::path(test_paths::source()) / "spec/payments.openapi.yaml");
  const auto& operation = *contract.operation("get_customer_handler");

  const auto verdict =
      check_status(contract, operation, {.want = Want::kRejected}, {"body/type", {}}, 418);

  ASSERT_EQ(verdict.violations.size(), 1U);
  EXPECT_EQ(verdict.violations.front().rule, "status/unusual-rejection");
  EXPECT_EQ(verdict.violations.front().message().text(),
            "must be a usual rejection (400, 404, 405, 409, 410, 413, 415, 422 or 501), but is " +
                named(418));
}

Outcome outcome(Verdict verdict, std::vector<std::string> fingerprints = {},
                std::string reason = {}) {
  Outcome made;
  made.verdict = verdict;
  made.reason = std::move(reason);
  made.steps.resize(1);
  for (auto& print : fingerprints) {
    checks::Finding finding;
    finding.fingerprint = std::move(print);
    made.findings.push_back(std::move(finding));
  }
  return made;
}

TEST(Repeat, failed_each_time_is_failed) {
  const auto merged =
      merge_repeats({outcome(Verdict::kFailed, {"a", "b"}), outcome(Verdict::kFailed, {"a"})});

  EXPECT_EQ(merged.verdict, Verdict::kFailed);
  EXPECT_EQ(merged.reason.words, "");
  EXPECT_EQ(merged.findings.size(), 2U);
  EXPECT_THAT(merged.met, testing::ElementsAre(testing::Pair("a", 2), testing::Pair("b", 1)));
  EXPECT_EQ(merged.steps.size(), 2U);
}

TEST(Repeat, failed_now_and_then_is_flaky_with_the_rate) {
  const auto merged =
      merge_repeats({outcome(Verdict::kPassed), outcome(Verdict::kFailed, {"a"}),
                     outcome(Verdict::kPassed), outcome(Verdict::kInconclusive, {}, "429")});

  EXPECT_EQ(merged.verdict, Verdict::kInconclusive);
  EXPECT_EQ(merged.reason.words, "flaky: failed 1 of 4 times");
}

TEST(Repeat, is_limited_where_that_is_the_reason) {
  auto limited = outcome(Verdict::kInconclusive, {}, "429");
  limited.reason.kind = Reason::Kind::kLimited;

  EXPECT_EQ(merge_repeats({limited, outcome(Verdict::kInconclusive, {}, "503")}).reason.kind,
            Reason::Kind::kLimited);
  EXPECT_EQ(merge_repeats({limited, outcome(Verdict::kFailed, {"a"}), outcome(Verdict::kPassed)})
                .reason.kind,
            Reason::Kind::kOther);
}

TEST(Repeat, passed_or_inconclusive_is_passed) {
  const auto merged =
      merge_repeats({outcome(Verdict::kInconclusive, {}, "503"), outcome(Verdict::kPassed)});

  EXPECT_EQ(merged.verdict, Verdict::kPassed);
  EXPECT_EQ(merged.reason.words, "");
}

TEST(Repeat, inconclusive_each_time_has_the_first_cause) {
  auto first = outcome(Verdict::kInconclusive, {}, "the plain request fails");
  first.reason.caused_by = "read.plain";

  EXPECT_EQ(merge_repeats({first, outcome(Verdict::kInconclusive, {}, "503")}).reason.caused_by,
            "read.plain");
  EXPECT_EQ(merge_repeats({first, outcome(Verdict::kPassed)}).reason.caused_by, "");
}

TEST(Repeat, once_is_unchanged) {
  const auto merged = merge_repeats({outcome(Verdict::kFailed, {"a"})});

  EXPECT_EQ(merged.verdict, Verdict::kFailed);
  EXPECT_EQ(merged.repeats.of, 0U);
}

}  // namespace
}  // namespace contract_tests::run
