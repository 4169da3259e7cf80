// Validation of a whole response: a violation is reported, an undecided result is neither valid nor
// invalid.

#include "contract_tests/checks/response_validation.hpp"
#include "spec/contract/loading/load_contract.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace contract_tests::checks {
namespace {

using testing::ElementsAre;
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

// A map of prices and one of lists, and an object without other members than its own.
constexpr const char* kMaps = R"(
openapi: 3.1.0
info: {title: Maps, version: "1"}
paths:
  /maps:
    get:
      operationId: get_maps
      responses:
        "200":
          description: d
          content: {application/json: {schema: {$ref: "#/components/schemas/Maps"}}}
components:
  schemas:
    Price: {type: object, properties: {amount: {type: integer}}}
    Maps:
      type: object
      properties:
        prices: {type: object, additionalProperties: {$ref: "#/components/schemas/Price"}}
        named: {type: object, required: [first, last]}
        marks: {patternProperties: {"^m": {type: array, items: {type: integer}}}}
        closed: {type: object, properties: {a: {type: integer}}, additionalProperties: false}
)";

// The fingerprints of what is found in the body.
std::vector<std::string> fingerprints_of(const std::string& body) {
  const auto contract = spec::contract::load_contract_text(kMaps);
  client::Exchange exchange;
  exchange.sent.method = "GET";
  exchange.ending = client::Ending::kKeptOpen;
  exchange.record.head.status = 200;
  exchange.response.status = 200;
  exchange.response.headers.add("Content-Type", "application/json");
  exchange.response.body = body;
  const auto reading = check_response({contract, *contract.operation("get_maps"), exchange, {}, {}},
                                      read_json_body(exchange));
  std::vector<std::string> found;
  for (const auto& violation : reading.violations) {
    Finding finding;
    finding.rule = violation.rule;
    finding.place = violation.place;
    finding.kind_place = violation.kind_place;
    finding.message = violation.message();
    finding.source = violation.source.value_or(Source());
    found.push_back(violation.place + ' ' + kind_place_of(finding) + ' ' + fingerprint(finding));
  }
  return found;
}

std::string id_in(const std::vector<std::string>& found) {
  return found.size() == 1 ? found.front().substr(found.front().rfind(' ')) : "not one";
}

TEST(CheckResponse, leaves_the_names_in_a_map_out_of_the_kind_of_a_violation) {
  EXPECT_THAT(fingerprints_of(R"({"prices": {"eur": {"amount": "x"}}})"),
              ElementsAre(testing::StartsWith("body/prices/eur/amount body/prices/*/amount ")));
  EXPECT_THAT(fingerprints_of(R"({"marks": {"m/1": [1, "x"]}})"),
              ElementsAre(testing::StartsWith("body/marks/m~11/1 body/marks/*/* ")));
  EXPECT_EQ(
      id_in(fingerprints_of(R"({"prices": {"eur": {"amount": "x"}}})")),
      id_in(fingerprints_of(R"({"prices": {"usd": {"amount": 1}, "chf": {"amount": "x"}}})")));
  EXPECT_THAT(fingerprints_of(R"({"prices": {"a": {"amount": "x"}, "b": {"amount": "x"}}})"),
              SizeIs(1));
}

TEST(CheckResponse, has_a_violation_for_each_property_that_is_missing) {
  const auto found = fingerprints_of(R"({"named": {}})");

  ASSERT_THAT(found, SizeIs(2));
  EXPECT_NE(found[0], found[1]);
}

TEST(CheckResponse, keeps_the_names_that_the_contract_has_or_rejects) {
  EXPECT_THAT(fingerprints_of(R"({"closed": {"a": "x"}})"),
              ElementsAre(testing::StartsWith("body/closed/a body/closed/a ")));
  EXPECT_NE(id_in(fingerprints_of(R"({"closed": {"a": 1, "pages": 1}})")),
            id_in(fingerprints_of(R"({"closed": {"a": 1, "title": 1}})")));
}

}  // namespace
}  // namespace contract_tests::checks
