#include "mock_server/journal/journal_coverage.hpp"

#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace mock_server::journal {
namespace {

using nlohmann::json;
using spec::contract::CoverageReport;
using spec::contract::Point;
using spec::contract::PointKind;

struct Gap {
  std::string name;
  Point point;
  std::string sentence;
};

using GapOf = spec::tests::RowTest;

TEST_P(GapOf, a_called_operation_is_a_sentence) {
  const Gap& row = GetParam();

  const CoverageReport report{{{"read", "GET /a", {{PointKind::kOperation, "", true}}}}};
  CoverageReport with_gap = report;
  with_gap.operations[0].points.push_back(row.point);

  const json shown = describe(with_gap);

  EXPECT_EQ(shown["operations"][0]["missing"], json::array({row.sentence}));
  EXPECT_EQ(shown["operations"][0]["seen"], 1);
}

const std::vector<Gap> kPointsGapOf = {
    {"status", {PointKind::kStatus, "404"}, "status 404 was not returned"},
    {"range", {PointKind::kStatus, "4XX"}, "status 4XX was not returned"},
    {"parameter", {PointKind::kParameter, "query size"}, "query size was not sent"},
    {"left_out", {PointKind::kParameter, "query size not given"}, "query size was never left out"},
    {"request_type",
     {PointKind::kMediaType, "request application/json"},
     "request application/json was not sent"},
    {"response_type",
     {PointKind::kMediaType, "200 application/pdf"},
     "200 application/pdf was not returned"},
    {"request_field", {PointKind::kField, "request /name"}, "request /name was not sent"},
    {"default_field", {PointKind::kField, "default /a"}, "default /a was not returned"},
    {"null", {PointKind::kNull, "200 /name"}, "200 /name was never null"},
    {"values",
     {PointKind::kEnumeration, "200 /plan", false, 3},
     "200 /plan: none of its values was returned"}};

INSTANTIATE_TEST_SUITE_P(Points, GapOf, testing::ValuesIn(spec::tests::rows(kPointsGapOf)),
                         spec::tests::kRowNames);

TEST(CoverageOf, an_operation_that_was_not_called_is_one_sentence) {
  const CoverageReport report{
      {{"write", "PUT /a", {{PointKind::kOperation, ""}, {PointKind::kStatus, "200"}}}}};

  EXPECT_EQ(
      describe(report),
      json({{"seen", 0},
            {"points", 2},
            {"percent", 0.0},
            {"operations",
             {{{"id", "write"}, {"seen", 0}, {"points", 2}, {"missing", {"was never called"}}}}}}));
}

}  // namespace
}  // namespace mock_server::journal
