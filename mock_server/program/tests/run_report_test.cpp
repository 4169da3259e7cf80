#include "mock_server/program/run_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mock_server::program {
namespace {

using testing::HasSubstr;
using testing::Not;

using spec::contract::PointKind;

Summary a_summary() {
  Summary summary;
  summary.coverage.operations = {
      {"read",
       "GET /a",
       {{PointKind::kOperation, "", true},
        {PointKind::kStatus, "200", true},
        {PointKind::kStatus, "500", false},
        {PointKind::kField, "200 /name", false},
        {PointKind::kField, "500 /code", false},
        {PointKind::kEnumeration, "200 /plan", true, 3, {"\"free\""}}}},
      {"write", "PUT /a", {{PointKind::kOperation, ""}, {PointKind::kStatus, "200"}}}};
  summary.called = {{"read", {{200, 2}, {404, 1}}}};
  return summary;
}

TEST(RunReport, names_called_and_uncovered_operations) {
  const std::string text = text_report(a_summary(), {"npm test", 0, 0});

  EXPECT_THAT(text, HasSubstr("called: 3 requests to 1 of 2 operations\n  GET /a: 200 x2, 404 x1"));
  EXPECT_THAT(text, HasSubstr("no violations of the contract"));
  EXPECT_THAT(
      text,
      HasSubstr("    statuses: 500\n    fields: 200 /name\n    values: 2 of 3 of 200 /plan\n"));
  EXPECT_THAT(text, HasSubstr("PUT /a: never called"));
  EXPECT_THAT(text, HasSubstr("coverage: 37.5% (3 of 8 points)"));
}

TEST(RunReport, counts_violations_beyond_those_it_shows) {
  Summary summary = a_summary();
  summary.violations.push_back({"read", "GET /a?x\xC2\x9B -> 422", {"query/x: must be ..."}});
  summary.violation_count = 5;

  const std::string text = text_report(summary, {"npm test", 0, 0});

  EXPECT_THAT(text, HasSubstr("violated the contract: 5 requests\n  GET /a?x\\u009b -> 422\n    "
                              "query/x"));
  EXPECT_THAT(text, HasSubstr("and 4 more"));
}

TEST(RunReport, exits_with_the_commands_code_or_with_1) {
  Summary broken = a_summary();
  broken.violation_count = 1;

  EXPECT_EQ((RunResult{"x", 0, 0}.exit_code(a_summary())), 0);
  EXPECT_EQ((RunResult{"x", 0, 37.5}.exit_code(a_summary())), 0);
  EXPECT_EQ((RunResult{"x", 0, 37.6}.exit_code(a_summary())), 1);
  EXPECT_EQ((RunResult{"x", 0, 0}.exit_code(broken)), 1);
  EXPECT_EQ((RunResult{"x", 7, 0}.exit_code(broken)), 7);
}

TEST(RunReport, prints_the_coverage_that_is_required_as_it_was_given) {
  EXPECT_THAT(text_report(a_summary(), {"npm test", 0, 37.55}),
              HasSubstr("coverage: 37.5% (3 of 8 points), must be at least 37.55%\n"));
}

TEST(RunReport, lists_calls_without_a_response_of_the_service_and_fails) {
  Summary filled = a_summary();
  filled.responses = {1, 2, 0, {}};
  Summary dead = a_summary();
  dead.responses = {0, 0, 3, {{"Connection refused", 3}}};
  dead.called["write"] = {{502, 1}};
  const RunResult result{"npm test", 0, 0};

  EXPECT_THAT(text_report(a_summary(), result), Not(HasSubstr("the service")));
  EXPECT_THAT(text_report(filled, result),
              HasSubstr("responses from the service: 1 of 3 calls; from the mock: 2\n"));
  EXPECT_EQ(result.exit_code(filled), 0);
  EXPECT_THAT(text_report(dead, result),
              HasSubstr("responses from the service: 0 of 3 calls; no response: 3\n"
                        "  no response x3: Connection refused\n"));
  EXPECT_THAT(text_report(dead, result),
              HasSubstr("PUT /a: called, but the service did not respond\n"));
  EXPECT_THAT(junit_report(dead, result), HasSubstr("name=\"responses of the service\"><failure"));
  EXPECT_EQ(result.exit_code(dead), 1);
}

TEST(RunReport, is_junit_on_request) {
  Summary summary = a_summary();
  summary.violations.push_back({"read", "GET /a?x=<1> -> 422", {"query/x: must be \"b\""}});
  summary.violation_count = 1;

  const std::string text = junit_report(summary, {"npm test", 3, 90});

  EXPECT_THAT(text, HasSubstr(R"(tests="4" failures="3" errors="0" skipped="1")"));
  EXPECT_THAT(text, HasSubstr(R"(<failure message="ended with 3">)"));
  EXPECT_THAT(text, HasSubstr("GET /a?x=&lt;1&gt; -&gt; 422&#10;"));
  EXPECT_THAT(text, HasSubstr(R"(name="PUT /a"><skipped message="never called"/>)"));
  EXPECT_THAT(text, Not(HasSubstr("must be \"b\"")));
}

}  // namespace
}  // namespace mock_server::program
