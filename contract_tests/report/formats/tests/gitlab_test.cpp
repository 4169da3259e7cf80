// GitLab's code quality report and the outputs for scripts.

#include "contract_tests/report/formats/code_hosts.hpp"
#include "contract_tests/report/tests/run_values.hpp"

#include <gmock/gmock.h>

#include <set>

namespace contract_tests::report::formats {
namespace {

using nlohmann::json;

TEST(Gitlab, has_an_entry_for_each_fingerprint) {
  const auto text = gitlab_code_quality(tests::run_of_findings(
      {tests::finding_of(1, "note"), tests::finding_of(2), tests::finding_of(2)}));

  EXPECT_EQ(text[0], '[');  // no byte order mark
  const auto entries = json::parse(text);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(
      entries[0],
      json({{"description",
             "GET /customers/{customer_id}: body/member_2: must be a string, but is 7, stated at "
             "806:17 /components/schemas/Customer/properties/name/type"},
            {"check_name", "schema/type"},
            {"fingerprint", checks::stable_hash("2")},
            {"severity", "major"},
            {"location", {{"path", "spec/payments.openapi.yaml"}, {"lines", {{"begin", 806}}}}}}));
  EXPECT_EQ(entries[1].at("severity"), "info");
}

TEST(Gitlab, calls_warnings_minor_and_known_findings_info) {
  auto known = tests::finding_of(2);
  known["state"] = "known";

  const auto entries = json::parse(
      gitlab_code_quality(tests::run_of_findings({tests::finding_of(1, "warning"), known})));

  EXPECT_EQ(entries.at(0).at("severity"), "info");
  EXPECT_THAT(entries.at(0).at("description"), testing::StartsWith("known: GET /customers"));
  EXPECT_EQ(entries.at(1).at("severity"), "minor");
}

TEST(Gitlab, says_what_was_changed_in_the_request) {
  auto finding = tests::finding_of(1);
  finding["place"] = "status";
  finding["changed"] = "query page_size=101";
  finding["message"] = "must be rejected (4xx), but is 200";

  const auto entries = json::parse(gitlab_code_quality(tests::run_of_findings({finding})));

  EXPECT_EQ(
      entries.at(0).at("description"),
      "GET /customers/{customer_id}: query page_size=101: must be rejected (4xx), but is 200, "
      "stated at 806:17 /components/schemas/Customer/properties/name/type");
}

TEST(Gitlab, of_ten_thousand_findings_is_within_the_limits_and_says_so) {
  const auto text = gitlab_code_quality(tests::run_of_many_findings(10'000));

  EXPECT_LT(text.size(), 10'000'000U);
  const auto entries = json::parse(text);
  EXPECT_GT(entries.size(), 1'000U);
  std::set<std::string> fingerprints;
  for (const auto& entry : entries) {
    fingerprints.insert(entry.at("fingerprint").get<std::string>());
  }
  EXPECT_EQ(fingerprints.size(), entries.size());
  EXPECT_EQ(entries.back().at("check_name"), "report/left-out");
}

TEST(Outputs, count_errors_once_where_there_is_no_baseline) {
  EXPECT_EQ(outputs(tests::run_of_findings({tests::finding_of(1), tests::finding_of(1),
                                            tests::finding_of(2), tests::finding_of(3, "note")})),
            "verdict=failed\nexit_code=1\nnew=2\nknown=0\nfixed=0\nexpired=0\ncoverage=57.1\n");
}

TEST(Outputs, have_the_counts_of_the_baseline) {
  auto run = tests::run_of_findings({});
  run["baseline"] = {{"counts", {{"new", 0}, {"known", 3}, {"fixed", 1}, {"expired", 2}}}};
  run["coverage"] = {{"points", 1000}, {"seen", 999}};

  EXPECT_EQ(outputs(run),
            "verdict=passed\nexit_code=0\nnew=0\nknown=3\nfixed=1\nexpired=2\ncoverage=99.9\n");
}

}  // namespace
}  // namespace contract_tests::report::formats
