// Requests generated from a contract, and the validator's verdict on them.

#include "contract_tests/demands/planning.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace contract_tests::plan {
namespace {

namespace fs = std::filesystem;
using run::Case;
using run::Want;
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
  DataFiles files{fs::path(test_paths::source()) / "contract_tests/rules/schemas"};
  Rules rules;
  RuleBook book =
      load_rule_book(files, fs::path(test_paths::source()) / "contract_tests/rules/rule_book.yaml");

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
        demands::make_plan(
            {.contract = contract, .rules = rules, .book = book, .written = {}, .seed = seed})
            .cases;
    std::erase_if(cases, [](const Case& item) { return !item.generated; });
    return cases;
  }

  std::vector<std::string> broken_rules() {
    std::vector<std::string> names;
    for (const auto& item : generated()) {
      if (item.expect.want == Want::kRejected) {
        names.push_back(item.basis.rule);
      }
    }
    return names;
  }
};

TEST(Generated, are_on_both_sides_of_each_bound) {
  Shop shop;

  const auto accepted = shop.copies(Want::kAccepted);

  EXPECT_THAT(accepted, IsSupersetOf({"1", "5"}));
  EXPECT_THAT(accepted, Not(Contains("0")));
  EXPECT_THAT(accepted, Not(Contains("6")));
}

TEST(Generated, violate_each_keyword_alone) {
  Shop shop;

  EXPECT_THAT(shop.broken_rules(), IsSupersetOf({"body/minLength", "body/maxLength"}));
  for (const auto& item : shop.generated()) {
    const auto request_verdict =
        validate_request(shop.contract, shop.contract.operations().front(), item.request);
    EXPECT_TRUE(request_verdict.is_decided()) << item.id;
    EXPECT_EQ(!request_verdict.violated.empty(), item.expect.want == Want::kRejected) << item.id;
  }
}

TEST(Generated, are_the_same_only_for_the_same_seed) {
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

TEST(ValidateRequest, names_the_one_violated_statement) {
  Shop shop;
  RequestPlan request;
  request.query = {{"copies", "9"}};
  request.body = nlohmann::json({{"title", "Atlas"}});

  const auto request_verdict =
      validate_request(shop.contract, shop.contract.operations().front(), request);

  ASSERT_TRUE(request_verdict.is_decided());
  ASSERT_EQ(request_verdict.violated.size(), 1U);
  EXPECT_EQ(request_verdict.violated[0].rule, "maximum");
  EXPECT_EQ(request_verdict.violated[0].instance, "/copies");
}

TEST(ValidateRequest, does_not_decide_when_two_statements_are_violated) {
  Shop shop;
  RequestPlan request;
  request.query = {{"copies", "9"}};
  request.body = nlohmann::json({{"title", "At"}});

  EXPECT_FALSE(
      validate_request(shop.contract, shop.contract.operations().front(), request).is_decided());
}

constexpr std::string_view kLists = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    get:
      operationId: orders
      parameters:
        - {name: tags, in: query, schema: {type: array, minItems: 1, items: {type: string, maxLength: 0}}}
        - {name: text, in: query, schema: {type: string, maxLength: 9000}}
        - {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
        - {name: page, in: query, allowEmptyValue: true, schema: {type: integer}}
      responses:
        "200": {description: a list}
)";

std::vector<Case> cases_of(std::string_view text) {
  Shop shop{.contract = spec::contract::load_contract_text(text)};
  return demands::make_plan(
             {.contract = shop.contract, .rules = shop.rules, .book = shop.book, .written = {}})
      .cases;
}

TEST(Generated, may_be_rejected_where_an_empty_value_is_no_text) {
  std::size_t empty = 0;
  for (const auto& item : cases_of(kLists)) {
    const bool is_empty =
        std::ranges::find(item.request.query, std::pair<std::string, std::string>("tags", "")) !=
        item.request.query.end();
    if (item.generated && is_empty) {
      ++empty;
      EXPECT_NE(item.expect.want, Want::kAccepted) << item.id;
    }
  }
  EXPECT_GT(empty, 0U);
}

TEST(Generated, have_no_target_longer_than_servers_take) {
  for (const auto& item : cases_of(kLists)) {
    for (const auto& [name, value] : item.request.query) {
      EXPECT_LE(value.size(), 8'000U) << item.id;
    }
  }
}

constexpr std::string_view kSpread = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    get:
      operationId: orders
      parameters:
        - {name: filter, in: query, schema: {type: object, properties: {id: {type: integer}}}}
        - {name: deep, in: query, style: deepObject, schema: {type: object, properties: {id: {type: integer}}}}
      responses:
        "200": {description: a list}
)";

TEST(Generated, give_no_other_value_for_an_object_whose_members_are_parameters) {
  for (const auto& item : cases_of(kSpread)) {
    EXPECT_THAT(item.request.query, Not(Contains(testing::Key("filter")))) << item.id;
  }
}

constexpr std::string_view kFields = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    post:
      operationId: orders
      parameters:
        - {name: Prefer, in: header, schema: {enum: [return=minimal]}}
        - {name: if-modified-since, in: header, schema: {type: string, format: date-time}}
        - {name: Range, in: header, required: true, schema: {type: string, pattern: "^bytes=[0-9]+-$"}}
        - {name: X-Kind, in: header, schema: {enum: [whole]}}
        - {name: tags, in: query, explode: false, schema: {type: array, maxItems: 3, items: {type: string}}}
        - {name: author, in: query, schema: {type: integer, minimum: 1}}
        - {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 50}}
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"200": {description: ok}}
)";

// The cases whose request is changed in the part and place of this name.
std::vector<Case> changed_in(const std::string& place) {
  auto cases = cases_of(kFields);
  std::erase_if(cases, [&place](const Case& item) { return item.changed.place() != place; });
  return cases;
}

bool wants_rejection(const Case& item) {
  return item.expect.want == Want::kRejected;
}

TEST(Generated, have_no_invalid_value_for_a_header_that_may_be_ignored) {
  for (const auto* name : {"header/Prefer", "header/if-modified-since"}) {
    EXPECT_TRUE(std::ranges::none_of(changed_in(name), &wants_rejection)) << name;
  }
  EXPECT_TRUE(std::ranges::any_of(changed_in("header/X-Kind"), &wants_rejection));
  std::vector<std::string> of_range;
  for (const auto& item : changed_in("header/Range")) {
    if (wants_rejection(item)) {
      of_range.push_back(item.basis.rule);
    }
  }
  EXPECT_THAT(of_range, testing::ElementsAre("parameter/missing"));
}

TEST(Generated, have_a_longest_list_of_items_with_commas) {
  std::vector<std::string> raw;
  for (const auto& item : changed_in("query/tags")) {
    raw.push_back(item.request.raw_query);
  }
  EXPECT_THAT(raw, Contains(testing::MatchesRegex("tags=a%2C[^,&]*,a%2C[^,&]*,a%2C[^,&]*")));
}

TEST(Generated, may_refer_to_what_does_not_exist_where_a_value_has_no_end) {
  const auto refers = [](const Case& item) { return item.refers; };
  EXPECT_TRUE(std::ranges::any_of(changed_in("query/author"), refers));
  EXPECT_TRUE(std::ranges::none_of(changed_in("query/size"), refers));
}

TEST(Bodies, of_another_type_are_of_one_place_and_sent_once) {
  std::map<nlohmann::json, std::size_t> sent;
  for (const auto& item : cases_of(kFields)) {
    if (item.request.body && !item.request.body->is_object()) {
      ++sent[*item.request.body];
      EXPECT_EQ(item.changed.place(), "body") << item.id;
    }
  }
  EXPECT_THAT(sent, testing::Each(testing::Pair(testing::_, 1U)));
  EXPECT_THAT(sent, Contains(testing::Key(nlohmann::json::array())));
}

TEST(Numbers, have_one_case_for_all_their_spellings) {
  std::vector<std::string> spelled;
  for (const auto& item : cases_of(kLists)) {
    for (const plan::RequestPlan& request : requests_of(item)) {
      EXPECT_THAT(request.query, Not(Contains(testing::Pair(testing::_, "1e1")))) << item.id;
    }
    if (item.basis.rule == "parameter/spelling") {
      spelled.push_back(item.id);
      EXPECT_EQ(item.basis.source.statement_class, spec::contract::StatementClass::kAssumption);
    }
  }
  EXPECT_THAT(spelled, testing::SizeIs(1));
}

TEST(Numbers, may_be_rejected_when_they_are_empty) {
  std::vector<std::vector<int>> statuses;
  for (const auto& item : cases_of(kLists)) {
    if (item.basis.rule == "same/empty-parameter") {
      statuses.push_back(item.expect.statuses);
    }
  }
  EXPECT_THAT(statuses, testing::ElementsAre(testing::ElementsAre(400, 422)));
}

// A keyword that is assumed beside one that is not: where both exclude a value, it is the latter
// that the finding rests on.
constexpr std::string_view kAssumed = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
x-counterpart: 1
paths:
  /orders:
    get:
      operationId: orders
      parameters:
        - name: after
          in: query
          schema: {type: integer, format: int32, minimum: 0, x-assumed: {format: "not shown"}}
        - name: copies
          in: query
          schema: {type: integer, format: int32, maximum: 5, x-assumed: {format: "not shown"}}
      responses:
        "200": {description: a list}
)";

TEST(Rejections, have_the_strongest_violated_statement_as_source) {
  Shop shop{.contract = spec::contract::load_contract_text(kAssumed)};
  const auto plan = demands::make_plan(
      {.contract = shop.contract, .rules = shop.rules, .book = shop.book, .written = {}});
  const auto found = [&plan](const std::string& value) {
    const auto item = std::ranges::find_if(plan.cases, [&value](const Case& one) {
      return one.expect.want == Want::kRejected && one.request.query == Pairs{{"after", value}};
    });
    return item == plan.cases.end() ? Case{} : *item;
  };
  using spec::contract::StatementClass;

  EXPECT_EQ(found("99999999999999999999").basis.source.statement_class,
            StatementClass::kAssumption);
  EXPECT_TRUE(found("99999999999999999999").expect.may_accept);
  EXPECT_EQ(found("abc").basis.source.statement_class, StatementClass::kDocument);
  EXPECT_FALSE(found("abc").expect.may_accept);
  EXPECT_FALSE(found("-1").expect.may_accept);
}

TEST(Rejections, of_the_whole_plan_are_no_stronger_than_the_statement_that_is_violated) {
  Shop shop{.contract = spec::contract::load_contract(fs::path(test_paths::source()) /
                                                      "spec/payments.openapi.yaml")};
  const auto plan = demands::make_plan(
      {.contract = shop.contract, .rules = shop.rules, .book = shop.book, .written = {}});
  std::size_t assumed = 0;

  for (const auto& item : plan.cases) {
    const auto request_verdict =
        validate_request(shop.contract, *shop.contract.operation(item.operation), item.request);
    const bool by_format =
        !request_verdict.violated.empty() &&
        std::ranges::all_of(request_verdict.violated, [](const RequestViolation& one) {
          return one.rule == "format" && one.part == spec::contract::Part::kQuery &&
                 (one.instance == "/page_size" || one.instance == "/page_number");
        });
    if (item.expect.want == Want::kRejected && by_format) {
      ++assumed;
      EXPECT_EQ(item.basis.source.statement_class, spec::contract::StatementClass::kAssumption)
          << item.id;
      EXPECT_TRUE(item.expect.may_accept) << item.id;
    }
  }
  EXPECT_GT(assumed, 0U);
}

}  // namespace
}  // namespace contract_tests::plan
