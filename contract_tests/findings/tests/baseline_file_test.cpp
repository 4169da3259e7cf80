// The file of a baseline: what is written reads back, and every mistake has its line and its
// remedy.

#include "contract_tests/findings/baseline.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

namespace contract_tests::findings {
namespace {

using std::chrono::days;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Date kToday = std::chrono::sys_days(std::chrono::year(2026) / 10 / 20);

plan::RuleBook book() {
  plan::RuleBook rules;
  rules["error/leak"].never_known = true;
  rules["schema/any"] = {};
  return rules;
}

BaselineEntry entry(std::string id = "0123456789012345") {
  return {.id = std::move(id),
          .operation = "GET /customers/{customer_id}",
          .rule = "schema/required",
          .statement_class = "document",
          .clause = "§4.4",
          .pointer = "/components/schemas/Customer/required",
          .stated_at = "payments.openapi.yaml:806:17",
          .place = "body",
          .says = "must have the property \"email\", but lacks it",
          .reason = "fixed in release 34: soon # really",
          .owner = "billing",
          .ticket = "PAY-812",
          .added = kToday,
          .expires = kToday + days(90),
          .seed = 7,
          .cases = {"GET_customers_customer_id.a_plain_request_succeeds"}};
}

std::vector<BaselineEntry> read(const std::string& text, unsigned max_days = 90) {
  const test_support::Folder folder;
  plan::DataFiles files(test_paths::source() + "/contract_tests/rules/schemas");
  const auto rules = book();
  return load(files, folder.write("b.yaml", text),
              {.today = kToday, .max_days = max_days, .book = rules});
}

std::string problems_of(const std::string& text) {
  try {
    read(text);
  } catch (const spec::LoadError& error) {
    return error.what();
  }
  return "";
}

TEST(BaselineFile, reads_back_as_it_was_written) {
  auto bare = entry("fedcba9876543210");
  bare.operation = "DELETE /a";
  bare.pointer.clear();
  bare.stated_at.clear();
  bare.ticket.clear();
  bare.clause.clear();
  bare.seed.reset();
  bare.cases.clear();
  auto odd = entry("1e10000000000000");
  odd.rule = "schema/type";
  odd.says = "quotes \" and \\, a tab\t, é, 😀, \x7f, \xc2\x85, null";
  odd.reason = "- not a list: {nor a map}";

  EXPECT_THAT(read(text_of({odd, entry(), bare})), ElementsAre(bare, entry(), odd));
  EXPECT_THAT(read(text_of({})), ElementsAre());
}

TEST(BaselineFile, is_the_same_whatever_the_order_of_its_entries) {
  auto other = entry("aaaaaaaaaaaaaaaa");
  other.place = "body/email";

  EXPECT_EQ(text_of({entry(), other}), text_of({other, entry()}));
}

TEST(BaselineFile, has_one_line_for_each_member) {
  EXPECT_THAT(text_of({entry()}), HasSubstr("version: 1\n"
                                            "findings:\n"
                                            "  - id: \"0123456789012345\"\n"
                                            "    operation: \"GET /customers/{customer_id}\"\n"
                                            "    rule: \"schema/required\"\n"
                                            "    class: document\n"));
  EXPECT_THAT(text_of({entry()}), HasSubstr("    ticket: \"PAY-812\"\n"
                                            "    added: 2026-10-20\n"
                                            "    expires: 2027-01-18\n"
                                            "    seed: 7\n"
                                            "    cases:\n"
                                            "      - \"GET_customers_customer_id.a_plain"));
}

TEST(BaselineFile, dates_are_days_of_the_calendar) {
  EXPECT_EQ(date_from("2026-10-20"), kToday);
  EXPECT_EQ(to_text(kToday), "2026-10-20");
  EXPECT_EQ(date_from("2026-02-29"), std::nullopt);
  EXPECT_EQ(date_from("2026-10-20T00:00:00Z"), std::nullopt);
  EXPECT_EQ(date_from("tomorrow"), std::nullopt);
}

struct Mistake {
  std::string name;
  std::string from;  // replaced in the text of a good file
  std::string to;
  std::string says;
};

using BaselineMistake = spec::tests::RowTest;

TEST_P(BaselineMistake, is_one_line_with_its_place) {
  const Mistake& row = GetParam();

  auto text = text_of({entry()});
  ASSERT_EQ(problems_of(text), "");
  const auto at = text.find(row.from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, row.from.size(), row.to);

  const auto said = problems_of(text);

  EXPECT_THAT(said, HasSubstr(row.says));
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
}

const std::vector<Mistake> kBaselineFileBaselineMistake = {
    {"newer_version", "version: 1", "version: 2\nmore: []",
     "b.yaml:4:10: version must be 1, but is 2; use the contract_tests that wrote"},
    {"no_version", "version: 1\n", "", "version"},
    {"unknown_member", "    ticket:", "    tikcet:", "tikcet"},
    {"no_reason", "    reason: \"fixed in release 34: soon # really\"\n", "", "reason"},
    {"blank_owner", "owner: \"billing\"", "owner: \"  \"", "b.yaml:16:12"},
    {"no_date", "added: 2026-10-20", "added: 2026-13-20",
     "b.yaml:18:12: added must be a date as 2026-12-01 is, but is \"2026-13-20\""},
    {"no_day", "expires: 2027-01-18", "expires: soon",
     "b.yaml:19:14: expires must be a date as 2026-12-01 is, but is \"soon\""},
    {"too_far_ahead", "expires: 2027-01-18", "expires: 2027-01-19",
     "b.yaml:19:14: expires must be at most 90 days ahead, but is 91; choose an earlier "
     "day, or a greater --baseline-days"},
    {"leak", "rule: \"schema/required\"", "rule: \"error/leak\"",
     "b.yaml:6:5: error/leak is a leak, which no baseline can hold; remove this entry "
     "and fix the service"},
    {"id_of_another_form", "0123456789012345", "0123", "b.yaml:6:9"},
    {"broken", "findings:", "findings: [", "b.yaml:"}};

INSTANTIATE_TEST_SUITE_P(BaselineFile, BaselineMistake,
                         testing::ValuesIn(spec::tests::rows(kBaselineFileBaselineMistake)),
                         spec::tests::kRowNames);

TEST(BaselineFile, has_no_id_twice) {
  auto other = entry();
  other.rule = "schema/type";

  EXPECT_THAT(
      problems_of(text_of({entry(), other})),
      HasSubstr("b.yaml:23:9: the id 0123456789012345 occurs twice (first at line 6); remove "
                "one of the entries"));
}

TEST(BaselineFile, allows_as_many_days_as_are_given) {
  auto late = entry();
  late.expires = kToday + days(120);

  EXPECT_THAT(read(text_of({late}), 120), ElementsAre(late));
}

}  // namespace
}  // namespace contract_tests::findings
