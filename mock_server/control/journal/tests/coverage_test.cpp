#include "mock_server/control/journal/coverage.hpp"

#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ostream>
#include <string>

namespace mock_server::control::journal {
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

void PrintTo(const Gap& gap, std::ostream* out) {
  *out << gap.name;
}

class GapOf : public testing::TestWithParam<Gap> {};

TEST_P(GapOf, a_called_operation_is_a_sentence) {
  const CoverageReport report{{{"read", "GET /a", {{PointKind::kOperation, "", true}}}}};
  CoverageReport with_gap = report;
  with_gap.operations[0].points.push_back(GetParam().point);

  const json shown = describe(with_gap);

  EXPECT_EQ(shown["operations"][0]["missing"], json::array({GetParam().sentence}));
  EXPECT_EQ(shown["operations"][0]["seen"], 1);
}

INSTANTIATE_TEST_SUITE_P(
    Points, GapOf,
    testing::Values(
        Gap{"status", {PointKind::kStatus, "404"}, "status 404 was not returned"},
        Gap{"range", {PointKind::kStatus, "4XX"}, "status 4XX was not returned"},
        Gap{"parameter", {PointKind::kParameter, "query size"}, "query size was not sent"},
        Gap{"left_out",
            {PointKind::kParameter, "query size not given"},
            "query size was never left out"},
        Gap{"request_type",
            {PointKind::kMediaType, "request application/json"},
            "request application/json was not sent"},
        Gap{"response_type",
            {PointKind::kMediaType, "200 application/pdf"},
            "200 application/pdf was not returned"},
        Gap{"request_field", {PointKind::kField, "request /name"}, "request /name was not sent"},
        Gap{"default_field", {PointKind::kField, "default /a"}, "default /a was not returned"},
        Gap{"null", {PointKind::kNull, "200 /name"}, "200 /name was never null"},
        Gap{"values",
            {PointKind::kEnumeration, "200 /plan", false, 3},
            "200 /plan: none of its values was returned"}),
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
}  // namespace mock_server::control::journal
