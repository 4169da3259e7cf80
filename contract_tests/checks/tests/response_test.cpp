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
      requestBody: {content: {application/json: {schema: {properties: {word: {type: string}}}}}}
      responses:
        "200":
          description: d
          content: {application/json: {schema: {properties: {word: {pattern: "^(?=a)(a+)+$"}}}}}
)";

ResponseReading read_body(std::string body, std::string sent = {}) {
  const auto contract = spec::contract::load_contract_text(kContract);
  client::Exchange exchange;
  exchange.sent.method = "GET";
  exchange.sent.body = std::move(sent);
  exchange.ending = client::Ending::kKeptOpen;
  exchange.record.head.status = 200;
  exchange.response.status = 200;
  exchange.response.headers.add("Content-Type", "application/json");
  exchange.response.body = std::move(body);
  return check_response({contract, *contract.operation("get_word"), exchange, {}, {}},
                        read_json_body(exchange));
}

ResponseReading read_response(const std::string& word) {
  return read_body(nlohmann::json{{"word", word}}.dump());
}

TEST(CheckResponse, reports_violations) {
  const ResponseReading reading = read_response("b");

  EXPECT_THAT(reading.violations, SizeIs(1));
  EXPECT_THAT(reading.undecided, IsEmpty());
}

TEST(CheckResponse, takes_a_record_of_undocumented_members_that_was_sent) {
  EXPECT_THAT(read_body(R"({"x": 1})", R"({"x": 1})").violations, IsEmpty());
  EXPECT_THAT(read_body(R"({"x": 1})", R"({"word": "a"})").violations, SizeIs(1));
  EXPECT_THAT(read_body(R"({"x": 1})", "{}").violations, SizeIs(1));
  EXPECT_THAT(read_body(R"({"x": 1})").violations, SizeIs(1));
}

TEST(CheckResponse, is_undecided_when_a_limit_is_reached) {
  const ResponseReading reading = read_response(std::string(64, 'a') + '!');

  EXPECT_THAT(reading.violations, IsEmpty());
  EXPECT_THAT(reading.undecided, HasSubstr("a validation limit was reached"));
}

TEST(CheckResponse, is_undecided_when_it_repeats_a_body_that_is_nested_deeper_than_is_read) {
  const std::string deep = std::string(200, '[') + std::string(200, ']');

  const ResponseReading reading = read_body(deep, deep);

  EXPECT_THAT(reading.violations, IsEmpty());
  EXPECT_THAT(reading.undecided, HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace contract_tests::checks
