#include "spec/contract/resources/list_order.hpp"

#include "spec/contract/contract.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

namespace spec::contract::resources {
namespace {

constexpr const char* kText = R"(openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /books:
    get:
      operationId: list
      responses:
        '200':
          description: some
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  properties: {name: {type: string}, price: {type: number}, createdAt: {type: string}}
)";

struct OrderRow {
  std::string name;
  std::string value;
  std::string at;  // "" if it names no member
  std::optional<bool> descending;
};

using ListOrders = tests::RowTest;

TEST_P(ListOrders, are_read_from_values) {
  const OrderRow& row = GetParam();
  const test_support::Folder folder;
  const auto contract = load_contract(folder.write("c.yaml", kText));
  const auto list =
      find_list(contract, response_body(contract, *contract.operation("list")), "books");

  const auto order = order_of(contract, list->schemas, row.value);

  EXPECT_EQ(order ? order->at : "", row.at);
  EXPECT_EQ(order ? order->descending : std::nullopt, row.descending);
}

const std::vector<OrderRow> kOrders = {
    {"member", "name", "/name", std::nullopt},
    {"minus", "-price", "/price", true},
    {"plus", "+price", "/price", false},
    {"underscore", "price_desc", "/price", true},
    {"colon", "price:asc", "/price", false},
    {"comma", "name,desc", "/name", true},
    {"blank", "name DESC", "/name", true},
    {"camel_case", "priceDesc", "/price", true},
    {"newest", "newest", "/createdAt", true},
    {"oldest", "oldest", "/createdAt", false},
    {"a_time_by_half_its_name", "created", "/createdAt", std::nullopt},
    {"a_date", "date_asc", "/createdAt", false},
    {"cheapest", "cheapest", "/price", false},
    {"prices", "price_high_to_low", "/price", true},
    {"popular", "popular", "", std::nullopt},
    {"no_member", "colour_desc", "", std::nullopt},
};

INSTANTIATE_TEST_SUITE_P(Table, ListOrders, testing::ValuesIn(tests::rows(kOrders)),
                         tests::kRowNames);

TEST(ListDirections, are_known_by_their_words) {
  for (const char* const word : {"desc", "DESC", "descending", "-1"}) {
    EXPECT_EQ(is_descending(word), true) << word;
  }
  for (const char* const word : {"asc", "Ascending", "1"}) {
    EXPECT_EQ(is_descending(word), false) << word;
  }
  EXPECT_EQ(is_descending("name"), std::nullopt);
}

}  // namespace
}  // namespace spec::contract::resources
