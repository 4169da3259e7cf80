// The line of a case in run.json: what is written is what is read.

#include "contract_tests/report/ran.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace contract_tests::report {
namespace {

using checks::Severity;
using nlohmann::json;

RanCase failed_case() {
  return {.index = 17,
          .id = "GET_a_2.a_plain_request_succeeds",
          .operation = "get_a",
          .operation_name = "GET /a/",
          .verdict = run::Verdict::kFailed,
          .time = std::chrono::microseconds(1234),
          .reason = {},
          .findings = {{Severity::kError, "0123456789abcdef"},
                       {Severity::kError, "fedcba9876543210"},
                       {Severity::kNote, "00000000000000aa"}}};
}

TEST(Ran, has_one_line_for_a_case) {
  const auto value = ran_json({failed_case()});

  EXPECT_EQ(value,
            json::parse(R"([{"operation": "get_a", "operation_name": "GET /a/",
    "suite": "GET_a_2", "cases": ["17 failed 1234 a_plain_request_succeeds )"
                        R"(errors=0123456789abcdef,fedcba9876543210 notes=00000000000000aa"]}])"));
}

TEST(Ran, is_read_as_it_was_written_in_the_order_of_the_plan) {
  const RanCase skipped{.index = 3,
                        .id = "GET_b.one",
                        .operation = "get_b",
                        .operation_name = "GET /b",
                        .verdict = run::Verdict::kSkipped,
                        .reason = 12,
                        .findings = {},
                        .not_allowed = true,
                        .sends_nothing = true,
                        .before_service = true};

  const json run{{"ran", ran_json({failed_case(), skipped})}};

  EXPECT_EQ(ran_of(run), (std::vector<RanCase>{skipped, failed_case()}));
}

}  // namespace
}  // namespace contract_tests::report
