#include "contract_tests/parity/parity_report.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace contract_tests::parity {

namespace {

using testing::HasSubstr;

Row row_with(RowVerdict verdict, checks::Severity severity = checks::Severity::kError) {
  return {.verdict = verdict,
          .severity = severity,
          .operation = "GET /a",
          .rule = "schema/type",
          .place = "body/a",
          .contract = "must be a text",
          .source = "document, §1, a.yaml:3:5",
          .mock = "satisfies it",
          .service = "is 7 | `x`",
          .case_id = "GET_a.works",
          .cases = 2,
          .curl = "curl a"};
}

struct ExitRow {
  std::string name;
  std::vector<Row> rows;
  std::size_t cases = 0;
  int exit = 0;
};

const std::vector<ExitRow> kExits{
    {"no_differences", {}, 5, 0},
    {"nothing_compared", {}, 0, 3},
    {"the_contract_is_silent", {row_with(RowVerdict::kContractIsSilent)}, 5, 0},
    {"a_warning", {row_with(RowVerdict::kServiceViolates, checks::Severity::kWarning)}, 5, 0},
    {"the_service_is_wrong", {row_with(RowVerdict::kServiceViolates)}, 5, 1},
    {"the_mock_is_wrong", {row_with(RowVerdict::kMockDiffers)}, 5, 1},
    {"unknown", {row_with(RowVerdict::kCannotTell)}, 5, 3},
    {"wrong_and_unknown",
     {row_with(RowVerdict::kCannotTell), row_with(RowVerdict::kMockDiffers)},
     5,
     1},
};

using Exits = spec::tests::RowTest;

TEST_P(Exits, say_whether_a_side_is_wrong) {
  const ExitRow& row = GetParam();

  EXPECT_EQ(exit_of({.rows = row.rows, .cases = row.cases, .left_out = {}}), row.exit);
}

INSTANTIATE_TEST_SUITE_P(Table, Exits, testing::ValuesIn(spec::tests::rows(kExits)),
                         spec::tests::kRowNames);

Report report_of_one() {
  Report report{.contract = "A 1",
                .mock = "started",
                .service = "http://127.0.0.1:1",
                .date = "2026-03-01T10:00:00Z"};
  auto row = row_with(RowVerdict::kMockDiffers);
  row.fix = SuggestedFix{"a/1.json", "{\n  \"a\": \"```\"\n}\n"};
  report.compared.rows = {row};
  report.compared.cases = 3;
  report.compared.left_out = {{"no consent", 4}};
  report.assumptions = {{.state = AssumptionState::kRefuted,
                         .pointer = "/paths/~1a",
                         .place = "a.yaml:3:5",
                         .reason = "§1 does not say",
                         .what = "status must be 404, but is 400",
                         .evidence = Witness{"GET /a", "GET_a.unknown", "curl b", "400"}}};
  report.notes = {"the run was interrupted"};
  return report;
}

TEST(ParityText, has_the_columns_the_fix_the_assumptions_and_the_numbers) {
  const auto text = report_text(report_of_one());

  EXPECT_THAT(text, HasSubstr("mock differs: GET /a: body/a [2 cases] (schema/type)\n"
                              "  contract  must be a text\n"
                              "            document, §1, a.yaml:3:5\n"
                              "  mock      satisfies it\n"));
  EXPECT_THAT(text, HasSubstr("  reproduce curl a\n  fix       a/1.json:\n            {\n"));
  EXPECT_THAT(text, HasSubstr("assumptions: 0 confirmed, 1 refuted, 0 not seen\n"
                              "refuted    a.yaml:3:5 /paths/~1a: status must be 404, but is 400 "
                              "[GET_a.unknown]\n"));
  EXPECT_THAT(text, HasSubstr("not compared: no consent [4 cases]\nthe run was interrupted\n"));
  EXPECT_THAT(text, HasSubstr("service violates 0, mock differs 1, contract is silent 0, cannot "
                              "tell 0; 3 cases compared\n"));
}

TEST(ParityText, begins_with_why_little_was_tested) {
  auto report = report_of_one();
  report.compared.untested = "no token";

  EXPECT_THAT(report_text(report), testing::StartsWith("little was tested: no token\n"));
  EXPECT_THAT(report_markdown(report), HasSubstr("\nlittle was tested: no token\n"));
  EXPECT_EQ(report_json(report).at("untested"), "no token");
  EXPECT_EQ(exit_of({.rows = {}, .cases = 5, .left_out = {}, .untested = "no token"}), 3);
}

TEST(ParityMarkdown, escapes_cells_and_fences_snippets) {
  const auto text = report_markdown(report_of_one());

  EXPECT_THAT(text, HasSubstr("| mock differs | GET /a, body/a | must be a text (document, §1, "
                              "a.yaml:3:5) | satisfies it | is 7 \\| \\`x\\` |\n"));
  EXPECT_THAT(text, HasSubstr("`a/1.json`\n\n````\n{\n"));
  EXPECT_THAT(text, HasSubstr("| refuted | a.yaml:3:5 /paths/\\~1a | §1 does not say | status must "
                              "be 404, but is 400; GET /a: 400 `curl b` | "
                              "2026-03-01T10:00:00Z |\n"));
}

TEST(ParityJson, has_every_row_and_every_assumption) {
  const auto value = report_json(report_of_one());

  EXPECT_EQ(value.at("counts").at("mock differs"), 1);
  EXPECT_EQ(value.at("rows").at(0).at("fix").at("file"), "a/1.json");
  EXPECT_EQ(value.at("assumptions").at(0).at("evidence").at("date"), "2026-03-01T10:00:00Z");
}

}  // namespace

}  // namespace contract_tests::parity
