// Requests made of a contract alone, and what the judge says they deserve.

#include "contract_tests/plan/oracle.hpp"
#include "contract_tests/plan/plan.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

namespace contract_tests::plan {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

constexpr std::string_view kContract = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    post:
      operationId: order
      parameters:
        - {name: copies, in: query, schema: {type: integer, minimum: 1, maximum: 5}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title]
              properties:
                title: {type: string, minLength: 3, maxLength: 6}
                gift: {type: boolean}
      responses:
        "200": {description: ordered}
)";

struct Shop {
  spec::contract::Contract contract = spec::contract::load_contract_text(kContract);
  DataFiles files{fs::path(COUNTERPART_SOURCE_DIR) / "contract_tests/rules/schemas"};
  Rules rules;
  RuleBook book = load_rule_book(
      files, fs::path(COUNTERPART_SOURCE_DIR) / "contract_tests/rules/rule_book.yaml");

  // The values of `copies` in generated cases that want it.
  std::vector<std::string> copies(Want want, std::uint64_t seed = 1) {
    std::vector<std::string> values;
    for (const auto& item : generated(seed)) {
      if (item.expect.want == want && !item.request.query.empty()) {
        values.push_back(item.request.query.front().second);
      }
    }
    return values;
  }

  std::vector<Case> generated(std::uint64_t seed = 1) {
    auto cases =
        make_plan({.contract = contract, .rules = rules, .book = book, .written = {}, .seed = seed})
            .cases;
    std::erase_if(cases, [](const Case& item) { return !item.data.value("generated", false); });
    return cases;
  }

  std::vector<std::string> broken_rules() {
    std::vector<std::string> names;
    for (const auto& item : generated()) {
      if (item.expect.want == Want::kRefused) {
        names.push_back(item.why.rule);
      }
    }
    return names;
  }
};

TEST(Generated, stand_on_both_sides_of_each_bound) {
  Shop shop;

  const auto accepted = shop.copies(Want::kAccepted);

  EXPECT_THAT(accepted, IsSupersetOf({"1", "5"}));
  EXPECT_THAT(accepted, Not(Contains("0")));
  EXPECT_THAT(accepted, Not(Contains("6")));
}

TEST(Generated, break_each_keyword_alone) {
  Shop shop;

  EXPECT_THAT(shop.broken_rules(), IsSupersetOf({"body/minLength", "body/maxLength"}));
  for (const auto& item : shop.generated()) {
    const auto deserts =
        judge_request(shop.contract, shop.contract.operations().front(), item.request);
    EXPECT_TRUE(deserts.decided) << item.id;
    EXPECT_EQ(deserts.breach.has_value(), item.expect.want == Want::kRefused) << item.id;
  }
}

TEST(Generated, are_the_same_for_the_same_seed_alone) {
  Shop shop;
  const auto requests = [&shop](std::uint64_t seed) {
    std::vector<nlohmann::json> all;
    for (const auto& item : shop.generated(seed)) {
      all.push_back(to_json(item.request));
    }
    return all;
  };

  EXPECT_EQ(requests(7), requests(7));
  EXPECT_NE(requests(7), requests(8));
}

TEST(JudgeRequest, names_the_one_statement_that_is_broken) {
  Shop shop;
  RequestPlan request;
  request.query = {{"copies", "9"}};
  request.body = nlohmann::json({{"title", "Atlas"}});

  const auto deserts = judge_request(shop.contract, shop.contract.operations().front(), request);

  ASSERT_TRUE(deserts.breach);
  EXPECT_EQ(deserts.breach->rule, "maximum");
  EXPECT_EQ(deserts.breach->instance, "/copies");
}

TEST(JudgeRequest, does_not_decide_when_two_statements_are_broken) {
  Shop shop;
  RequestPlan request;
  request.query = {{"copies", "9"}};
  request.body = nlohmann::json({{"title", "At"}});

  EXPECT_FALSE(judge_request(shop.contract, shop.contract.operations().front(), request).decided);
}

}  // namespace
}  // namespace contract_tests::plan
