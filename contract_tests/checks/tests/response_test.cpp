// Validation of a whole response: a violation is reported, an undecided result is neither valid nor
// invalid.

#include "contract_tests/checks/response.hpp"

#include "spec/contract/loading/load.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace contract_tests::checks {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kContract = R"(
openapi: 3.1.0
info: {title: Patterns, version: "1"}
paths:
  /word:
    get:
      operationId: get_word
      responses:
        "200":
          description: d
          content: {application/json: {schema: {properties: {word: {pattern: "^(?=a)(a+)+$"}}}}}
)";

ResponseReading read_response(const std::string& word) {
  const auto contract = spec::contract::load_contract_text(kContract);
  client::Exchange exchange;
  exchange.sent.method = "GET";
  exchange.ending = client::Ending::kKeptOpen;
  exchange.record.head.status = 200;
  exchange.response.status = 200;
  exchange.response.headers.add("Content-Type", "application/json");
  exchange.response.body = nlohmann::json{{"word", word}}.dump();
  return check_response({contract, *contract.operation("get_word"), exchange, {}, {}});
}

TEST(CheckResponse, reports_violations) {
  const ResponseReading reading = read_response("b");

  EXPECT_THAT(reading.violations, SizeIs(1));
  EXPECT_THAT(reading.undecided, IsEmpty());
}

TEST(CheckResponse, is_undecided_when_a_limit_is_reached) {
  const ResponseReading reading = read_response(std::string(64, 'a') + '!');

  EXPECT_THAT(reading.violations, IsEmpty());
  EXPECT_THAT(reading.undecided, HasSubstr("a validation limit was reached"));
}

}  // namespace
}  // namespace contract_tests::checks
