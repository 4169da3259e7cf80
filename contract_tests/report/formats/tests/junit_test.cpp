// JUnit XML from a run value: whole text, counts, and valid XML whatever a response contains.

#include "contract_tests/report/formats/junit.hpp"

#include "spec/tests/folder.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <vector>

namespace contract_tests::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json finding(const std::string& severity, const std::string& message) {
  return {{"rule", "schema/type"},
          {"severity", severity},
          {"class", "document"},
          {"clause", "§4.4"},
          {"pointer", ""},
          {"stated_at", ""},
          {"place", "body/name"},
          {"message", message},
          {"must", message},
          {"changed", ""},
          {"response", "200, 2 bytes"},
          {"excerpt", message},
          {"curl", "curl -sS 'http://a/?b&c'"},
          {"fingerprint", "0123"}};
}

json item(const std::string& operation, const std::string& sentence, const std::string& verdict,
          json findings = json::array(), const std::string& reason = "") {
  return {{"id", "GET_" + operation + '.' + sentence},
          {"operation", operation},
          {"operation_name", "GET /" + operation},
          {"sentence", sentence},
          {"verdict", verdict},
          {"reason", reason},
          {"findings", std::move(findings)},
          {"time_us", 1'500'000}};
}

json run_of(json cases) {
  return {{"contract", "Payments & more 1.0"}, {"base_url", "http://127.0.0.1:1/?<>"},
          {"started", "2024-01-01T00:00:00Z"}, {"problems", json::array()},
          {"causes", json::array()},           {"reasons", json::array()},
          {"cases", std::move(cases)}};
}

// The error of the XML parser on this machine for `xml`: "" when it is well-formed, or there is
// none.
std::string objections(const std::string& xml) {
  const test_support::Folder folder;
  const auto file = folder.write("junit.xml", xml);
  const auto call = "command -v xmllint >/dev/null || exit 0; xmllint --noout '" + file.string() +
                    "' >/dev/null 2>&1";
  const int code = std::system(call.c_str());
  return code == 0 ? "" : "xmllint rejects\n" + xml;
}

TEST(Junit, counts_the_cases_of_each_suite) {
  auto run = run_of(
      {item("customers", "passes", "passed"),
       item("customers", "fails", "failed", json::array({finding("error", "must be x, but is y")})),
       item("brands", "is_undecided", "inconclusive", json::array(), "429 Too Many Requests"),
       item("customers", "passes_with_a_note", "passed",
            json::array({finding("note", "is odd")}))});
  run["reasons"] = {{{"verdict", "skipped"},
                     {"reason", "--allow-writes is missing"},
                     {"cases", 3},
                     {"operations", {{"GET /brands", 3}}}},
                    {{"verdict", "inconclusive"},
                     {"reason", "429 Too Many Requests"},
                     {"cases", 1},
                     {"operations", {{"GET /brands", 1}}}}};

  const auto xml = formats::junit(run);

  EXPECT_EQ(objections(xml), "");
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"Payments &amp; more 1.0 at "
                             "http://127.0.0.1:1/?&lt;&gt;\" tests=\"5\" failures=\"1\" "
                             "errors=\"0\" skipped=\"2\" time=\"6.000000\">"));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"GET /customers\" "
                             "timestamp=\"2024-01-01T00:00:00Z\" tests=\"3\" failures=\"1\" "
                             "errors=\"0\" skipped=\"0\" time=\"4.500000\">"));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"GET /brands\" timestamp=\"2024-01-01T00:00:00Z\" "
                             "tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"2\""));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"GET_customers\" name=\"passes\" "
                             "time=\"1.500000\"/>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"inconclusive: 429 Too Many Requests\"/>"));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"GET_brands\" name=\"3 cases\" "
                             "time=\"0.000000\">\n      <skipped message=\"skipped: "
                             "--allow-writes is missing\"/>"));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"schema/type\" message=\"must be x, but is y\">"));
}

// The same statement is violated in three cases: the first has the failure.
TEST(Junit, fails_one_test_for_each_cause) {
  auto met = finding("error", "must be x, but is y");
  met["cause"] = 0;
  auto run = run_of({item("customers", "is_first", "failed", json::array({met})),
                     item("customers", "is_second", "failed", json::array({met})),
                     item("brands", "is_third", "failed", json::array({met}))});
  run["causes"] = {{{"severity", "error"},
                    {"rule", "schema/type"},
                    {"class", "document"},
                    {"clause", "§4.4"},
                    {"operations", {"GET /customers", "GET /brands"}},
                    {"place", "body/name"},
                    {"value", ""},
                    {"message", "must be x, but is y"},
                    {"cases", 3},
                    {"case", "GET_customers.is_first"},
                    {"fingerprint", "0123"}}};

  const auto xml = formats::junit(run);

  EXPECT_EQ(objections(xml), "");
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"2\""));
  EXPECT_THAT(xml, HasSubstr("name=\"is_first\" time=\"1.500000\">\n      <failure "
                             "type=\"schema/type\" message=\"error schema/type GET /customers, "
                             "GET /brands: body/name: must be x, but is y [3 cases]"));
  EXPECT_THAT(xml, HasSubstr("name=\"is_third\" time=\"1.500000\">\n      <skipped "
                             "message=\"caused by GET_customers.is_first\"/>"));
}

TEST(Junit, has_what_happened_to_the_run_as_an_error) {
  auto run = run_of(json::array());
  run["problems"] = {"the token expired"};

  const auto xml = formats::junit(run);

  EXPECT_EQ(objections(xml), "");
  EXPECT_THAT(xml, HasSubstr("tests=\"1\" failures=\"0\" errors=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<error message=\"the token expired\"/>"));
}

TEST(Junit, of_a_run_without_cases_is_well_formed) {
  const auto xml = formats::junit(run_of(json::array()));

  EXPECT_EQ(objections(xml), "");
  EXPECT_THAT(xml, HasSubstr("tests=\"0\" failures=\"0\""));
}

TEST(Junit, separates_notes_from_failures) {
  const auto xml = formats::junit(
      run_of(json::array({item("customers", "fails", "failed",
                               {finding("error", "the error"), finding("note", "the note")})})));

  const auto out = xml.find("<system-out>");
  ASSERT_NE(out, std::string::npos);
  EXPECT_THAT(xml.substr(0, out), HasSubstr("the error"));
  EXPECT_THAT(xml.substr(0, out), Not(HasSubstr("the note")));
  EXPECT_THAT(xml.substr(out), HasSubstr("the note"));
}

struct EscapedText {
  std::string name;
  std::string given;
  std::string shown;
};

using JunitText = spec::tests::RowTest;

TEST_P(JunitText, is_escaped_for_xml) {
  const EscapedText& row = GetParam();

  const auto said = "<" + row.given + ">";

  const auto xml = formats::junit(
      run_of(json::array({item("customers", "says " + said, "failed",
                               json::array({finding("error", "must not be " + said)}), said)})));

  EXPECT_EQ(objections(xml), "");
  EXPECT_THAT(xml, HasSubstr("name=\"says &lt;" + row.shown + "&gt;\""));
  EXPECT_THAT(xml, HasSubstr("must not be &lt;" + row.shown + "&gt;"));
}

const std::vector<EscapedText> kJunitJunitText = {
    {"markup", "a&b]]>\"'", "a&amp;b]]&gt;&quot;'"},
    {"lines", "a\nb\tc", "a&#10;b&#9;c"},
    {"control_bytes", std::string("\0\1\2\x1f\x1b[0m", 8), "?????[0m"},
    {"carriage_return", "a\r", "a?"},  // a parser would make it a line feed
    {"delete_and_c1", "\x7f\xc2\x85", "\x7f\\u0085"},
    {"beyond_ascii", "§ é 😀", "§ é 😀"},
    {"no_characters", "\xef\xbf\xbe\xef\xbf\xbf", "??"},
    {"replacement", "\xef\xbf\xbd", "\xef\xbf\xbd"},
    {"no_utf_8", "\xff\xc3(\xe2\x82",
     "?"
     "?(?"
     "?"},
    {"surrogate", "\xed\xa0\x80", "???"},
    {"overlong", "\xc0\xaf\xf5\x80\x80\x80", "??????"}};

INSTANTIATE_TEST_SUITE_P(Junit, JunitText, testing::ValuesIn(spec::tests::rows(kJunitJunitText)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace contract_tests::report
