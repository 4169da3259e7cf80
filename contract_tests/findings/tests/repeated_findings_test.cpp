// A finding that all operations share is one finding.

#include "contract_tests/findings/repeated_findings.hpp"

#include <gmock/gmock.h>

namespace contract_tests::run {
namespace {

using checks::Severity;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

plan::RuleBook book() {
  plan::RuleBook rules;
  rules["http/allow"].report_once = true;
  rules["schema/type"].report_once = false;
  return rules;
}

checks::Finding finding(std::string rule, std::string operation,
                        std::string place = "header/Allow") {
  checks::Finding made;
  made.rule = std::move(rule);
  made.place = std::move(place);
  made.case_id = operation + ".a_case";
  made.operation = std::move(operation);
  return made;
}

Outcome failed(std::vector<checks::Finding> findings) {
  Outcome outcome;
  outcome.verdict = Verdict::kFailed;
  outcome.findings = std::move(findings);
  return outcome;
}

TEST(RepeatedFindings, are_one_finding_with_the_other_operations) {
  std::map<std::size_t, Outcome> outcomes{{1, failed({finding("http/allow", "GET /a")})},
                                          {2, failed({finding("http/allow", "GET /b")})},
                                          {3, failed({finding("http/allow", "GET /c")})}};

  findings::merge_repeated_findings(book(), outcomes);

  EXPECT_THAT(outcomes[1].findings, SizeIs(1));
  EXPECT_THAT(outcomes[1].findings[0].operations, ElementsAre("GET /b", "GET /c"));
  EXPECT_EQ(outcomes[1].verdict, Verdict::kFailed);
  EXPECT_THAT(outcomes[2].findings, IsEmpty());
  EXPECT_EQ(outcomes[2].verdict, Verdict::kInconclusive);
  EXPECT_EQ(outcomes[2].reason.caused_by, "GET /a.a_case");
}

TEST(RepeatedFindings, leave_what_is_about_one_operation_or_place) {
  std::map<std::size_t, Outcome> outcomes{
      {1, failed({finding("http/allow", "GET /a")})},
      {2, failed({finding("http/allow", "GET /a")})},
      {3, failed({finding("http/allow", "GET /b", "header/Other")})},
      {4, failed({finding("schema/type", "GET /a", "body")})},
      {5, failed({finding("schema/type", "GET /b", "body")})}};

  findings::merge_repeated_findings(book(), outcomes);

  for (const auto& [index, outcome] : outcomes) {
    EXPECT_THAT(outcome.findings, SizeIs(1)) << index;
    EXPECT_THAT(outcome.findings[0].operations, IsEmpty()) << index;
    EXPECT_EQ(outcome.verdict, Verdict::kFailed) << index;
  }
}

TEST(RepeatedFindings, leave_a_case_failed_that_has_another_error) {
  std::map<std::size_t, Outcome> outcomes{
      {1, failed({finding("http/allow", "GET /a")})},
      {2, failed({finding("http/allow", "GET /b"), finding("schema/type", "GET /b", "body")})}};

  findings::merge_repeated_findings(book(), outcomes);

  EXPECT_EQ(outcomes[2].verdict, Verdict::kFailed);
  EXPECT_EQ(outcomes[2].reason.caused_by, "");
  EXPECT_THAT(outcomes[2].findings, SizeIs(1));
}

// A known finding of one operation does not hide a new one of another.
TEST(RepeatedFindings, are_apart_where_one_is_known_and_another_new) {
  const auto of = [](const std::string& operation, checks::FindingState state) {
    auto made = finding("http/allow", operation);
    made.state = state;
    made.fingerprint = "print of " + operation;
    auto outcome = failed({made});
    outcome.verdict = verdict_of(outcome);
    return outcome;
  };
  std::map<std::size_t, Outcome> outcomes{{1, of("GET /a", checks::FindingState::kKnown)},
                                          {2, of("GET /b", checks::FindingState::kNew)},
                                          {3, of("GET /c", checks::FindingState::kKnown)},
                                          {4, of("GET /d", checks::FindingState::kNew)}};

  findings::merge_repeated_findings(book(), outcomes);

  EXPECT_THAT(outcomes[1].findings.at(0).operations, ElementsAre("GET /c"));
  EXPECT_THAT(outcomes[1].findings.at(0).fingerprints, ElementsAre("print of GET /c"));
  EXPECT_EQ(outcomes[1].verdict, Verdict::kKnown);
  EXPECT_THAT(outcomes[2].findings.at(0).operations, ElementsAre("GET /d"));
  EXPECT_EQ(outcomes[2].verdict, Verdict::kFailed);
  EXPECT_THAT(outcomes[3].findings, IsEmpty());
  EXPECT_EQ(outcomes[3].verdict, Verdict::kKnown);
  EXPECT_EQ(outcomes[4].verdict, Verdict::kInconclusive);
  EXPECT_EQ(outcomes[4].reason.caused_by, "GET /b.a_case");
}

// The outcomes of shards of a run.
TEST(RepeatedFindings, that_were_merged_in_parts_are_merged_together) {
  std::map<std::size_t, Outcome> outcomes{{1, failed({finding("http/allow", "GET /a")})},
                                          {2, failed({finding("http/allow", "GET /b")})},
                                          {3, failed({finding("http/allow", "GET /b")})}};
  outcomes[1].findings[0].operations = {"GET /c"};

  findings::merge_repeated_findings(book(), outcomes);

  EXPECT_THAT(outcomes[1].findings[0].operations, ElementsAre("GET /b", "GET /c"));
  EXPECT_EQ(outcomes[3].reason, repeated("GET /a.a_case"));
}

}  // namespace
}  // namespace contract_tests::run
