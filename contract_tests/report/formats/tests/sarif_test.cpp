// The file for code scanning; scripts/ci/tests validates files of real runs by the published
// schema.

#include "contract_tests/report/formats/sarif.hpp"

#include "contract_tests/report/tests/run_values.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace contract_tests::report::formats {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json run_in(const json& run) {
  return json::parse(sarif(run)).at("runs").at(0);
}

TEST(Sarif, has_a_result_at_the_line_of_the_contract) {
  const auto run = run_in(tests::run_of_findings({tests::finding_of(1)}));

  ASSERT_EQ(run.at("results").size(), 1U);
  const auto& result = run.at("results")[0];
  EXPECT_EQ(result.at("ruleId"), "schema/type");
  EXPECT_EQ(result.at("level"), "error");
  const auto& place = result.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "spec/payments.openapi.yaml");
  EXPECT_EQ(place.at("region"),
            json({{"startLine", 806}, {"startColumn", 17}, {"endLine", 806}, {"endColumn", 18}}));
  EXPECT_EQ(result.at("locations").at(0).at("logicalLocations").at(0).at("fullyQualifiedName"),
            "/components/schemas/Customer/properties/name/type");
  const auto fingerprint = checks::stable_hash("1");
  EXPECT_EQ(result.at("partialFingerprints"), json({{"primaryLocationLineHash", fingerprint + ":1"},
                                                    {"counterpart/v1", fingerprint}}));
  EXPECT_THAT(result.at("message").at("text"),
              testing::StartsWith("GET /customers/{customer_id}: body/member_1: must be a string, "
                                  "but is 7.\n\n"));
  EXPECT_FALSE(result.contains("suppressions"));
}

TEST(Sarif, explains_each_rule_once) {
  auto assumed = tests::finding_of(3, "warning");
  assumed["rule"] = "error/shape";
  auto value = tests::run_of_findings({tests::finding_of(1), tests::finding_of(2), assumed});
  value["rules"]["error/shape"] = {
      {"says", "an error has a shape"}, {"class", "assumption"}, {"clause", "§7"}};

  const auto run = run_in(value);

  const auto& driver = run.at("tool").at("driver");
  EXPECT_EQ(driver.at("semanticVersion"), "1.2.3");
  ASSERT_EQ(driver.at("rules").size(), 2U);
  const auto& rule = driver.at("rules")[0];
  EXPECT_EQ(rule.at("id"), "schema/type");
  EXPECT_EQ(rule.at("shortDescription").at("text"), "A response satisfies its schema");
  EXPECT_THAT(rule.at("help").at("text"),
              HasSubstr("§2 (document: the source document states it)"));
  EXPECT_EQ(rule.at("properties").at("precision"), "very-high");
  EXPECT_EQ(driver.at("rules")[1].at("properties").at("precision"), "medium");
  EXPECT_EQ(driver.at("rules")[1].at("defaultConfiguration").at("level"), "warning");
  EXPECT_EQ(run.at("results").at(2).at("ruleIndex"), 1);
}

TEST(Sarif, has_a_finding_of_several_cases_once) {
  auto value = tests::run_of_findings({tests::finding_of(1), tests::finding_of(1)});

  const auto run = run_in(value);

  ASSERT_EQ(run.at("results").size(), 1U);
  EXPECT_EQ(run.at("results")[0].at("properties").at("cases"), 2);
  EXPECT_EQ(run.at("results")[0].at("properties").at("case"), "GET_customers.case_0");
}

TEST(Sarif, suppresses_known_findings_with_their_reason) {
  auto known = tests::finding_of(1);
  known["state"] = "known";
  auto value = tests::run_of_findings({known});
  value["baseline"] = {
      {"entries", {{{"id", known.at("fingerprint")}, {"reason", "mended in release 34"}}}}};

  const auto run = run_in(value);

  EXPECT_EQ(run.at("results").at(0).at("suppressions"),
            json::array({{{"kind", "external"},
                          {"status", "accepted"},
                          {"justification", "mended in release 34"}}}));
}

TEST(Sarif, has_a_finding_without_a_place_at_the_beginning_of_the_contract) {
  auto finding = tests::finding_of(1);
  finding["stated_at"] = "";

  const auto run = run_in(tests::run_of_findings({finding}));

  const auto& place = run.at("results").at(0).at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "spec/payments.openapi.yaml");
  EXPECT_EQ(place.at("region").at("startLine"), 1);
}

TEST(Sarif, encodes_names_of_files_beside_the_contract) {
  auto finding = tests::finding_of(1);
  finding["stated_at"] = "../schemas/a b:c%.yaml:12:3";

  const auto run = run_in(tests::run_of_findings({finding}));

  const auto& place = run.at("results").at(0).at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "schemas/a%20b%3Ac%25.yaml");
  EXPECT_EQ(place.at("region").at("startLine"), 12);
}

TEST(Sarif, says_what_happened_to_the_run) {
  auto value = tests::run_of_findings({});
  value["verdict"] = "inconclusive";
  value["exit"] = 3;
  value["problems"] = {"the token expired"};

  const auto run = run_in(value);

  const auto& invocation = run.at("invocations").at(0);
  EXPECT_EQ(invocation.at("executionSuccessful"), false);
  EXPECT_EQ(invocation.at("exitCode"), 3);
  EXPECT_EQ(invocation.at("toolExecutionNotifications").at(0).at("message").at("text"),
            "the token expired");
  EXPECT_EQ(run.at("automationDetails").at("id"),
            "counterpart/spec/payments.openapi.yaml/service/");
}

TEST(Sarif, of_ten_thousand_findings_is_within_the_limits_and_says_so) {
  auto value = tests::run_of_many_findings(10'000);
  value["cases"].back()["findings"][0]["severity"] = "note";
  value["cases_left_out"] = 70;

  const auto text = sarif(value);

  EXPECT_LT(text.size(), 10'000'000U);
  const auto run = json::parse(text).at("runs").at(0);
  const auto results = run.at("results").size();
  EXPECT_GT(results, 1'000U);
  EXPECT_LE(results, 5'000U);
  EXPECT_EQ(run.at("results").back().at("level"), "error");
  for (const auto& result : run.at("results")) {
    ASSERT_LE(result.at("message").at("text").get<std::string>().size(), 1'024U);
  }
  EXPECT_EQ(
      run.at("invocations").at(0).at("toolExecutionNotifications").at(0).at("message").at("text"),
      std::to_string(10'000 - results) +
          " findings are left out of this file, the least severe ones; run.json has them; 70 "
          "cases are left out of run.json, with all findings");
}

TEST(Sarif, keeps_five_thousand_of_many_short_findings) {
  std::vector<json> findings;
  for (std::size_t number = 0; number < 6'000; ++number) {
    findings.push_back(tests::finding_of(number, number == 5'999 ? "error" : "note"));
  }

  const auto run = run_in(tests::run_of_findings(findings));

  EXPECT_EQ(run.at("results").size(), 5'000U);
  EXPECT_EQ(run.at("results").at(0).at("level"), "error");
}

}  // namespace
}  // namespace contract_tests::report::formats
