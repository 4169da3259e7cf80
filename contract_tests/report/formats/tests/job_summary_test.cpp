// The summary of a CI job: what it says, its limit, and that no text of a server is markup in it.

#include "contract_tests/report/formats/job_summary.hpp"

#include "contract_tests/report/tests/run_values.hpp"

#include <gmock/gmock.h>

namespace contract_tests::report::formats {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(JobSummary, has_verdict_findings_and_curl_lines) {
  const auto text = job_summary(tests::run_of_findings({tests::finding_of(1)}));

  EXPECT_THAT(text, StartsWith("## Contract tests: failed\n\nPayments 1.0 at "
                               "http://127.0.0.1:4010 (service): failed. 1 passed, 1 failed"));
  EXPECT_THAT(text,
              HasSubstr("| severity | rule | finding | stated at |\n| --- | --- | --- | --- |\n"
                        "| error | schema/type | GET /customers/\\{customer\\_id\\}: "
                        "body/member\\_1: must be a string, but is 7 (§4.4, document) | "
                        "payments.openapi.yaml:806:17 |\n"));
  EXPECT_THAT(text, HasSubstr("- schema/type: <code>curl -sS -i 'http://127.0.0.1:4010/"));
}

TEST(JobSummary, separates_known_findings_and_notes) {
  auto known = tests::finding_of(1);
  known["state"] = "known";
  auto run = tests::run_of_findings({known, tests::finding_of(2, "note")});
  run["baseline"] = {{"strict", false},
                     {"counts", {{"known", 1}, {"not_seen", 0}}},
                     {"pruned", nlohmann::json::array()},
                     {"written", nlohmann::json::array()},
                     {"not_written", nlohmann::json::array()},
                     {"entries",
                      {{{"id", known.at("fingerprint")},
                        {"state", "known"},
                        {"reason", "mended in release 34"},
                        {"expires", "2024-12-01"},
                        {"days_left", 30}}}}};

  const auto text = job_summary(run);

  EXPECT_THAT(text, Not(HasSubstr("### Findings")));
  EXPECT_THAT(text, HasSubstr("<summary>Known findings: 1</summary>"));
  EXPECT_THAT(text, HasSubstr("| mended in release 34 | 2024-12-01 |"));
  EXPECT_THAT(text, HasSubstr("<summary>Notes: 1</summary>"));
}

TEST(JobSummary, has_problems_reasons_and_coverage) {
  auto run = tests::run_of_findings({});
  run["problems"] = {"the token expired"};
  run["reasons"] = {{{"verdict", "inconclusive"},
                     {"reason", "429"},
                     {"cases", 2},
                     {"operations", {{"GET /a", 2}}}},
                    {{"verdict", "skipped"},
                     {"reason", "no consent"},
                     {"cases", 3},
                     {"operations", {{"GET /a", 3}}}}};
  run["coverage"]["operations"]["get_a"] = {
      {"called", true}, {"statuses", {{"seen", {"200"}}, {"unseen", {"404", "500"}}}}};

  const auto text = job_summary(run);

  EXPECT_THAT(text, HasSubstr("**the token expired**"));
  EXPECT_THAT(text, HasSubstr("<summary>Inconclusive cases</summary>\n\n- 2: 429\n"));
  EXPECT_THAT(text, HasSubstr("<summary>Skipped cases</summary>\n\n- 3: no consent\n"));
  EXPECT_THAT(text, HasSubstr("| get\\_a | 1 of 3 | 404, 500 |"));
}

TEST(JobSummary, has_no_markup_of_a_server) {
  auto finding = tests::finding_of(1);
  finding["message"] = "must be `a` | <b>, but is\n*c*";

  EXPECT_THAT(job_summary(tests::run_of_findings({finding})),
              HasSubstr(R"(must be \`a\` \| &#60;b&#62;, but is \*c\* )"));
}

TEST(JobSummary, of_ten_thousand_findings_is_within_the_limit_and_says_so) {
  auto run = tests::run_of_many_findings(10'000);
  for (auto& cause : run["causes"]) {
    cause["message"] = std::string(4'000, '<');
  }
  for (std::size_t number = 0; number < 200; ++number) {
    run["reasons"].push_back({{"verdict", number % 2 == 0 ? "inconclusive" : "skipped"},
                              {"reason", std::string(4'000, '<')},
                              {"cases", 1},
                              {"operations", json::object()}});
    run["problems"].push_back(std::string(4'000, '<'));
    run["coverage"]["operations"][std::string(4'000, '<') + std::to_string(number)] =
        json::object();
  }

  const auto text = job_summary(run);

  EXPECT_LE(text.size(), kMaxJobSummaryBytes);
  EXPECT_NE(text.find("and 9900 more: report.html lists them"), std::string::npos);
  EXPECT_NE(text.find("Some parts are left out"), std::string::npos);
}

}  // namespace
}  // namespace contract_tests::report::formats
