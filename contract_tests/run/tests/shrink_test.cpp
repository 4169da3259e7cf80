// Reduction of failing requests.

#include "contract_tests/run/shrinking.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/json/number.hpp"
#include "spec/json/value.hpp"

#include <gmock/gmock.h>

namespace contract_tests::run {
namespace {

constexpr std::string_view kContract = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    get:
      operationId: orders
      parameters:
        - {name: size, in: query, schema: {type: integer, maximum: 100}}
        - {name: word, in: query, schema: {type: string}}
      responses: {"200": {description: orders}}
    post:
      operationId: order
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {"201": {description: order}}
)";

Case broken_case() {
  Case item;
  item.operation = "orders";
  item.request.query = {{"size", "101"}, {"word", "counterpart"}};
  item.generated = true;
  return item;
}

TEST(Shrink, keeps_the_violation_of_the_request) {
  const auto contract = spec::contract::load_contract_text(kContract);
  const auto item = broken_case();

  const auto cases = smaller(contract, item);

  ASSERT_FALSE(cases.empty());
  for (const auto& candidate : cases) {
    EXPECT_EQ(candidate.request.query.front(),
              (std::pair<std::string, std::string>("size", "101")));
  }
  EXPECT_EQ(cases.front().request.query.size(), 1U);
}

TEST(Shrink, halves_integers_however_they_are_written) {
  const auto contract = spec::contract::load_contract_text(kContract);
  Case item;
  item.operation = "order";
  item.request.body = {{"count", spec::json::make_number("8.00")},
                       {"price", spec::json::make_number("1.50")}};

  std::vector<std::string> bodies;
  for (const auto& candidate : smaller(contract, item)) {
    bodies.push_back(spec::json::write(*candidate.request.body));
  }

  EXPECT_THAT(bodies,
              testing::ElementsAre(R"({"price":1.50})", R"({"count":8.00})",
                                   R"({"count":0,"price":1.50})", R"({"count":4,"price":1.50})"));
}

Outcome broken_by(std::string rule) {
  Outcome outcome;
  outcome.verdict = Verdict::kFailed;
  checks::Finding finding;
  finding.rule = std::move(rule);
  finding.fingerprint = fingerprint(finding);
  outcome.findings.push_back(finding);
  return outcome;
}

TEST(Shrink, continues_only_while_the_same_rule_is_violated) {
  EXPECT_TRUE(fails_the_same_way(broken_by("body/type"), broken_by("body/type")));
  EXPECT_FALSE(fails_the_same_way(broken_by("body/type"), broken_by("body/format")));
  EXPECT_FALSE(fails_the_same_way(broken_by("body/type"), Outcome{}));
}

}  // namespace
}  // namespace contract_tests::run
