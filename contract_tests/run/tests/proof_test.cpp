// What a run never saw, and how failing requests are made smaller.

#include "contract_tests/run/proof.hpp"

#include "contract_tests/run/shrink.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace contract_tests::run {
namespace {

using nlohmann::json;

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
      responses:
        "200":
          description: orders
          content:
            application/json:
              schema:
                type: object
                properties:
                  state: {type: string, enum: [open, shut]}
                  note: {type: [string, "null"]}
                  lines:
                    type: array
                    items: {type: object, properties: {id: {type: string}}}
        "404": {description: none}
)";

struct Orders {
  spec::contract::Contract contract = spec::contract::load_contract_text(kContract);
  Proof proof;

  void see(int status, const json& body, bool second_page = false, bool refusal = false) {
    const auto text = body.dump();
    proof.note(contract, contract.operations().front(),
               {status, &body, text, second_page, refusal});
  }

  json told() const { return proof.to_json(contract, {"orders"}); }
};

TEST(Proof, of_nothing_is_nothing) {
  const Orders orders;

  const auto told = orders.told();

  EXPECT_EQ(told.at("proven"), 0);
  EXPECT_EQ(told.at("operations").at("orders").at("statuses").at("unseen"), json({200, 404}));
  EXPECT_EQ(told.at("operations").at("orders").at("second_page"), false);
}

TEST(Proof, tells_fields_nulls_and_values_that_were_never_seen) {
  Orders orders;
  orders.see(200, {{"state", "open"}, {"note", "a"}, {"lines", {{{"id", "1"}}}}});

  const auto told = orders.told().at("operations").at("orders");

  EXPECT_EQ(told.at("fields").at("unseen"), json::array());
  EXPECT_EQ(told.at("nulls").at("unseen"), json({"/note"}));
  EXPECT_EQ(told.at("values").at("unseen"), json({"/state = \"shut\""}));
  EXPECT_EQ(told.at("statuses").at("unseen"), json({404}));
}

TEST(Proof, is_whole_when_everything_was_seen) {
  Orders orders;
  orders.see(200, {{"state", "open"}, {"note", nullptr}, {"lines", {{{"id", "1"}}}}}, true);
  orders.see(200, {{"state", "shut"}});
  orders.see(404, nullptr, false, true);

  const auto told = orders.told();

  EXPECT_EQ(told.at("proven"), told.at("provable"));
  EXPECT_EQ(told.at("operations").at("orders").at("refusal"), true);
}

plan::Case broken_case() {
  plan::Case item;
  item.operation = "orders";
  item.request.query = {{"size", "101"}, {"word", "counterpart"}};
  item.data["generated"] = true;
  return item;
}

TEST(Shrink, leaves_what_makes_the_request_wrong) {
  const Orders orders;
  const auto item = broken_case();

  const auto cases = smaller(orders.contract, item);

  ASSERT_FALSE(cases.empty());
  for (const auto& candidate : cases) {
    EXPECT_EQ(candidate.request.query.front(),
              (std::pair<std::string, std::string>("size", "101")));
  }
  EXPECT_EQ(cases.front().request.query.size(), 1U);
}

Outcome broken_by(std::string rule) {
  Outcome outcome;
  outcome.verdict = Verdict::kBroken;
  checks::Finding finding;
  finding.rule = std::move(rule);
  outcome.findings.push_back(finding);
  return outcome;
}

TEST(Shrink, goes_on_only_while_the_same_rule_is_broken) {
  EXPECT_TRUE(fails_alike(broken_by("body/type"), broken_by("body/type")));
  EXPECT_FALSE(fails_alike(broken_by("body/type"), broken_by("body/format")));
  EXPECT_FALSE(fails_alike(broken_by("body/type"), Outcome{}));
}

}  // namespace
}  // namespace contract_tests::run
