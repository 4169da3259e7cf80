// Mutants that count as caught, and when the gate holds.

#include "contract_tests/tests/faulty_server/mutant_case.hpp"

#include "contract_tests/tests/faulty_server/summary.hpp"

#include <gmock/gmock.h>

namespace contract_tests::faulty_server {
namespace {

using checks::Severity;
using spec::contract::StatementClass;
using testing::ElementsAre;
using testing::IsEmpty;

checks::Finding finding(const std::string& rule, const std::string& place,
                        Severity severity = Severity::kError) {
  checks::Finding made;
  made.rule = rule;
  made.place = place;
  made.message = "must be so";
  made.case_id = "a.case";
  made.source.statement_class = StatementClass::kDocument;
  made.severity = severity;
  return made;
}

MutantCase mutant(std::vector<ExpectedFinding> expected) {
  MutantCase item;
  item.sentence = item.name = "name";
  item.place = "table.yaml:7";
  item.expected = std::move(expected);
  return item;
}

TEST(Compare, is_silent_about_exactly_the_expected_findings) {
  const auto item =
      mutant({{"schema/type", "document", "body/name"}, {"same/twice", "document", ""}});

  EXPECT_THAT(compare(item, {finding("same/twice", "body"), finding("schema/type", "body/name")}),
              IsEmpty());
}

TEST(Compare, names_what_is_missing_and_what_nothing_names) {
  const auto item = mutant({{"schema/type", "document", "body/name"}});

  EXPECT_THAT(compare(item, {finding("schema/type", "body/email")}),
              ElementsAre("missing: schema/type document body/name",
                          "unexpected: schema/type document body/email (a.case: must be so)"));
}

TEST(Compare, neither_takes_a_note_for_a_finding_nor_demands_silence_of_it) {
  const auto item = mutant({{"schema/type", "document", ""}});

  EXPECT_THAT(compare(item, {finding("schema/type", "body", Severity::kNote),
                             finding("same/twice", "body", Severity::kNote)}),
              ElementsAre("missing: schema/type document"));
}

TEST(Compare, takes_a_note_where_notes_are_expected) {
  auto item = mutant({{"schema/type", "document", ""}});
  item.notes = true;

  EXPECT_THAT(compare(item, {finding("schema/type", "body", Severity::kNote)}), IsEmpty());
}

TEST(Gate, wants_a_mutant_or_a_reason_for_each_rule) {
  const plan::RuleBook book{{"a/caught", {}}, {"a/both", {}}, {"a/neither", {}}, {"a/reason", {}}};
  const auto item = mutant({{"a/caught", "document", ""}, {"a/both", "document", ""}});

  EXPECT_THAT(rules_below_gate({item}, book, {{"a/both", "x"}, {"a/reason", "x"}, {"a/gone", "x"}}),
              ElementsAre("a/both has a mutant, and a reason why it has none",
                          "a/neither must be named by a mutant, or by a reason why not",
                          "a/gone has a reason, but is no rule"));
}

TEST(Gate, fails_where_a_row_was_not_tried) {
  const auto item = mutant({{"schema/type", "assumption", ""}});

  EXPECT_THAT(
      below_gate({item}, {}),
      ElementsAre("98 of 100 mutants of class assumption must be caught", "must be tried: name"));
}

TEST(Gate, fails_where_a_mutant_survives_or_a_variant_raises_an_alarm) {
  const auto caught = mutant({{"schema/type", "document", ""}});
  auto conforming = mutant({});
  conforming.name = "other";
  conforming.conforming = true;

  EXPECT_THAT(below_gate({caught, conforming}, {{"name", true}, {"other", true}}), IsEmpty());
  EXPECT_THAT(below_gate({caught, conforming}, {{"name", false}, {"other", false}}),
              ElementsAre("every mutant of class document must be caught",
                          "no conforming variant may raise a false alarm"));
}

}  // namespace
}  // namespace contract_tests::faulty_server
