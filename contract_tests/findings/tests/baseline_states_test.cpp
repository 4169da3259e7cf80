// The entries of a baseline after a run: each state, and when it may be claimed.

#include "contract_tests/findings/baseline.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/folder.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

namespace contract_tests::findings {
namespace {

using checks::Finding;
using run::Outcome;
using run::Verdict;
using std::chrono::days;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Date kDayOfRun = std::chrono::sys_days(std::chrono::year(2026) / 10 / 20);

constexpr const char* kContract = R"(
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    get:
      operationId: list
      responses:
        "200": {description: all, content: {application/json: {schema: {type: array}}}}
)";

constexpr const char* kStatement =
    "/paths/~1notes/get/responses/200/content/application~1json/schema/type";

class States : public testing::Test {
 protected:
  States() {
    book_["schema/type"] = {};
    book_["error/leak"].never_known = true;
    for (const std::string name : {"one", "two", "three"}) {
      plan_.cases.emplace_back().id = "GET_notes." + name;
    }
  }

  static Finding finding(const std::string& fingerprint, const std::string& rule = "schema/type") {
    Finding made;
    made.rule = rule;
    made.operation = "GET /notes";
    made.place = "body/3/name";
    made.message = {"must be an array", "is 7"};
    made.source.pointer = kStatement;
    made.fingerprint = fingerprint;
    return made;
  }

  static BaselineEntry entry(const std::string& id,
                             std::vector<std::string> cases = {"GET_notes.one"}) {
    return {.id = id,
            .operation = "GET /notes",
            .rule = "schema/type",
            .statement_class = "document",
            .clause = {},
            .pointer = kStatement,
            .stated_at = {},
            .place = "body",
            .says = {},
            .reason = "a reason",
            .owner = "an owner",
            .ticket = {},
            .added = kDayOfRun,
            .expires = kDayOfRun + days(9),
            .seed = std::nullopt,
            .cases = std::move(cases)};
  }

  // The outcome of case `index`, as the runner notes it.
  void ran(std::size_t index, std::vector<Finding> findings, const std::string& reason = "") {
    Outcome outcome;
    outcome.findings = std::move(findings);
    outcome.reason = reason;
    outcome.verdict = verdict_of(outcome);
    settings_.baseline = baseline_states(entries_, kDayOfRun);
    note_states(settings_, outcome);
    outcomes_[index] = std::move(outcome);
  }

  std::vector<std::string> states() const {
    std::vector<std::string> all;
    for (const auto& standing : entry_results(entries_, outcomes_, around())) {
      all.emplace_back(to_text(standing.state));
    }
    return all;
  }

  RunInput around() const { return {contract_, plan_, settings_, kDayOfRun}; }

  test_support::Folder folder_;
  spec::contract::Contract contract_ =
      spec::contract::load_contract(folder_.write("notes.yaml", kContract));
  plan::Rules rules_;
  plan::RuleBook book_;
  client::Trust trust_;
  run::Plan plan_;
  run::Settings settings_{
      .contract = contract_, .rules = rules_, .book = book_, .trust = trust_, .url = {}};
  std::vector<BaselineEntry> entries_;
  Outcomes outcomes_;
};

TEST_F(States, of_what_is_found_is_known_through_the_last_day) {
  entries_ = {entry("a"), entry("b"), entry("c")};
  entries_[1].expires = kDayOfRun;
  entries_[2].expires = kDayOfRun - days(1);
  ran(0, {finding("a"), finding("b"), finding("c")});

  EXPECT_THAT(states(), ElementsAre("known", "known", "expired"));
  EXPECT_EQ(outcomes_[0].verdict, Verdict::kFailed);
  EXPECT_EQ(outcomes_[0].findings[1].state, checks::FindingState::kKnown);
  EXPECT_EQ(outcomes_[0].findings[2].state, checks::FindingState::kExpired);
  EXPECT_THAT(unknown_findings_in(outcomes_, around()).entries, IsEmpty());
}

TEST_F(States, a_case_that_failed_by_known_findings_alone_is_known) {
  entries_ = {entry("a")};
  ran(0, {finding("a")});
  ran(1, {finding("a"), finding("new")});

  EXPECT_EQ(outcomes_[0].verdict, Verdict::kKnown);
  EXPECT_EQ(outcomes_[1].verdict, Verdict::kFailed);
}

TEST_F(States, fixed_needs_all_cases_of_the_entry) {
  entries_ = {entry("a", {"GET_notes.one", "GET_notes.two"}), entry("b"), entry("c", {}),
              entry("d", {"GET_notes.one", "GET_notes.of_an_older_plan"})};
  ran(0, {});

  EXPECT_THAT(states(), ElementsAre("not_seen", "fixed", "not_seen", "not_seen"));
  ran(1, {});
  EXPECT_THAT(states(), ElementsAre("fixed", "fixed", "not_seen", "not_seen"));
  ran(1, {}, "429 Too Many Requests");
  EXPECT_THAT(states(), ElementsAre("not_seen", "fixed", "not_seen", "not_seen"));
}

TEST_F(States, a_case_that_still_fails_proves_what_was_found_beside_the_rest_before) {
  entries_ = {entry("gone"), entry("stays"), entry("hides", {"GET_notes.two"})};
  ran(0, {finding("stays")});
  EXPECT_THAT(states(), ElementsAre("fixed", "known", "not_seen"));

  ran(0, {finding("hides")});

  EXPECT_THAT(states(), ElementsAre("not_seen", "not_seen", "known"));
}

TEST_F(States, a_case_that_fails_in_a_new_way_proves_nothing) {
  entries_ = {entry("a")};
  ran(0, {finding("new")});

  EXPECT_THAT(states(), ElementsAre("not_seen"));
  EXPECT_THAT(without_masked(entries_[0], outcomes_, plan_).cases, IsEmpty());
}

TEST_F(States, a_warning_of_the_same_is_still_known) {
  entries_ = {entry("a")};
  auto warning = finding("a");
  warning.severity = checks::Severity::kWarning;
  ran(0, {warning});

  EXPECT_THAT(states(), ElementsAre("known"));
  EXPECT_EQ(outcomes_[0].verdict, Verdict::kPassed);
  EXPECT_EQ(outcomes_[0].findings[0].state, std::nullopt);
}

TEST_F(States, stale_is_what_contract_and_rule_book_no_longer_say) {
  entries_ = {entry("a"), entry("b"), entry("c"), entry("d")};
  entries_[0].pointer = "/paths/~1notes/get/parameters/0";
  entries_[1].operation = "GET /gone";
  entries_[2].rule = "gone/entirely";
  entries_[3].pointer.clear();
  ran(0, {});

  EXPECT_THAT(states(), ElementsAre("stale", "stale", "stale", "fixed"));
}

TEST_F(States, of_assumptions_are_not_seen_where_they_are_left_out) {
  entries_ = {entry("a"), entry("b"), entry("c")};
  entries_[1].statement_class = "assumption";
  entries_[2].statement_class = "assumption";
  entries_[2].pointer = "/paths/~1notes/get/parameters/0";
  settings_.document_only = true;
  ran(0, {});

  EXPECT_THAT(states(), ElementsAre("fixed", "not_seen", "not_seen"));
}

TEST_F(States, of_rules_that_are_off_and_of_other_seeds_are_not_seen) {
  entries_ = {entry("a"), entry("b")};
  entries_[0].rule = "schema/format";
  entries_[1].seed = plan_.seed + 1;
  book_["schema/format"] = {};
  settings_.severities.rules["schema/format"].off = true;
  ran(0, {});

  EXPECT_THAT(states(), ElementsAre("not_seen", "not_seen"));
}

TEST_F(States, a_leak_is_always_new) {
  entries_ = {entry("a")};
  ran(0, {finding("a", "error/leak")});
  ran(1, {finding("b")});

  const auto unknown = unknown_findings_in(outcomes_, around());

  EXPECT_EQ(outcomes_[0].verdict, Verdict::kFailed);
  ASSERT_THAT(unknown.leaks, SizeIs(1));
  EXPECT_EQ(unknown.leaks[0].id, "a");
  ASSERT_THAT(unknown.entries, SizeIs(1));
  EXPECT_EQ(unknown.entries[0].id, "b");
}

TEST_F(States, an_unknown_finding_names_its_first_cases) {
  for (int more = 0; more < 30; ++more) {
    plan_.cases.emplace_back().id = "GET_notes.more_" + std::to_string(more);
  }
  plan_.cases[2].generated = true;
  plan_.seed = 5;
  for (std::size_t index = 1; index < plan_.cases.size(); ++index) {
    ran(index, {finding("a")});
  }

  const auto unknown = unknown_findings_in(outcomes_, around());

  ASSERT_THAT(unknown.entries, SizeIs(1));
  const auto& made = unknown.entries[0];
  EXPECT_THAT(made.cases, SizeIs(20));
  EXPECT_EQ(made.cases[0], "GET_notes.two");
  EXPECT_EQ(made.seed, 5U);
  EXPECT_EQ(made.place, "body/*/name");
  EXPECT_EQ(made.says, "must be an array, but is 7");
  EXPECT_EQ(made.added, kDayOfRun);
}

TEST(BaselineResult, fails_by_fixed_entries_that_are_still_in_the_file) {
  BaselineResult result{.file = "b.yaml", .strict = true, .entries = {}};
  result.entries.emplace_back().entry.id = "a";
  EXPECT_FALSE(result.fails());

  result.entries[0].state = EntryState::kFixed;
  EXPECT_TRUE(result.fails());
  EXPECT_EQ(result.count(EntryState::kFixed), 1U);

  result.pruned = {"a"};
  EXPECT_FALSE(result.fails());
}

}  // namespace
}  // namespace contract_tests::findings
