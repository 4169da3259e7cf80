// The annotations at the lines of a pull request on GitHub.

#include "contract_tests/report/formats/code_hosts.hpp"
#include "contract_tests/report/tests/run_values.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace contract_tests::report::formats {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<json> findings_of(std::size_t count, const std::string& severity) {
  std::vector<json> findings;
  for (std::size_t number = 0; number < count; ++number) {
    findings.push_back(tests::finding_of(number, severity));
  }
  return findings;
}

std::ptrdiff_t lines_in(const std::string& text) {
  return std::ranges::count(text, '\n');
}

TEST(Annotations, are_at_the_line_of_the_contract) {
  EXPECT_EQ(github_annotations(tests::run_of_findings({tests::finding_of(1)})),
            "::error file=spec/payments.openapi.yaml,line=806,col=17,title=schema/type::GET "
            "/customers/{customer_id}: body/member_1: must be a string, but is 7 (§4.4, document), "
            "stated at 806:17 /components/schemas/Customer/properties/name/type, id " +
                checks::stable_hash("1") + "\n");
}

TEST(Annotations, have_each_fingerprint_once) {
  auto same = tests::finding_of(1);
  same["message"] = "must be a string, but is 8";

  EXPECT_EQ(lines_in(github_annotations(tests::run_of_findings({tests::finding_of(1), same}))), 1);
}

TEST(Annotations, name_no_file_that_is_not_in_the_repository) {
  auto run = tests::run_of_findings({tests::finding_of(1)});
  run["contract_file"]["in_repository"] = false;

  EXPECT_THAT(github_annotations(run), StartsWith("::error title=schema/type::GET "));
}

TEST(Annotations, are_escaped) {
  auto finding = tests::finding_of(1);
  finding["rule"] = "a:b,c%";
  finding["stated_at"] = "a,b:c.yaml:1:2";
  finding["message"] = "100 %: a, b\r\n::error::x";

  const auto text = github_annotations(tests::run_of_findings({finding}));

  EXPECT_THAT(text,
              StartsWith("::error file=spec/a%2Cb%3Ac.yaml,line=1,col=2,title=a%3Ab%2Cc%25::"));
  EXPECT_THAT(text, HasSubstr("100 %25: a, b%0D%0A::error::x"));
  EXPECT_EQ(lines_in(text), 1);
}

TEST(Annotations, are_nine_and_one_that_counts_the_rest) {
  const auto text = github_annotations(tests::run_of_findings(findings_of(43, "warning")));

  EXPECT_EQ(lines_in(text), 10);
  EXPECT_THAT(text, HasSubstr("\n::warning title=contract tests::and 34 more: the summary of this "
                              "job and report.html list them\n"));
}

TEST(Annotations, of_nine_findings_have_no_tenth) {
  EXPECT_EQ(lines_in(github_annotations(tests::run_of_findings(findings_of(9, "error")))), 9);
}

TEST(Annotations, begin_with_the_worst) {
  auto run = tests::run_of_findings({tests::finding_of(1), tests::finding_of(2, "warning")});
  run["problems"] = {"the token expired"};

  const auto text = github_annotations(run);

  EXPECT_THAT(text, StartsWith("::error file="));
  EXPECT_LT(text.find("::warning "),
            text.find("::notice title=contract tests%3A failed::the token expired"));
}

TEST(Annotations, leave_out_known_findings_and_notes) {
  auto known = tests::finding_of(1);
  known["state"] = "known";
  auto expired = tests::finding_of(2);
  expired["state"] = "expired";

  const auto text =
      github_annotations(tests::run_of_findings({known, expired, tests::finding_of(3, "note")}));

  EXPECT_EQ(lines_in(text), 1);
  EXPECT_THAT(text, HasSubstr("body/member_2"));
}

TEST(Annotations, of_inconclusive_cases_are_notices) {
  auto run = tests::run_of_findings({});
  run["verdict"] = "inconclusive";
  run["problems"] = {"the token expired"};
  run["reasons"] = {{{"verdict", "inconclusive"},
                     {"reason", "429 Too Many Requests"},
                     {"cases", 2},
                     {"operations", {{"GET /a", 2}}}},
                    {{"verdict", "skipped"},
                     {"reason", "no consent"},
                     {"cases", 2},
                     {"operations", {{"GET /a", 2}}}}};

  EXPECT_EQ(github_annotations(run),
            "::notice title=contract tests%3A inconclusive::the token expired\n"
            "::notice title=contract tests%3A inconclusive::2 cases are inconclusive: 429 Too Many "
            "Requests\n");
}

TEST(Annotations, of_a_run_that_could_not_start_are_errors) {
  auto run = tests::run_of_findings({});
  run["verdict"] = "unusable";
  run["problems"] = {"cannot connect"};

  EXPECT_EQ(github_annotations(run), "::error title=contract tests%3A unusable::cannot connect\n");
}

TEST(Annotations, of_ten_thousand_findings_are_ten_short_lines) {
  const auto text = github_annotations(tests::run_of_many_findings(10'000));

  EXPECT_EQ(lines_in(text), 10);
  EXPECT_LT(text.size(), 50'000U);
}

}  // namespace
}  // namespace contract_tests::report::formats
