// What a request sends in one shape and a response shows in another: keys as records, lists as
// pages of objects that say more, an item as its cart.

#include "mock_server/service/tests/test_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace mock_server::service {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kShapesContract = R"yaml(
openapi: 3.1.0
info: {title: Shapes, version: "1"}
paths:
  /customers:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Customer"}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Customer"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Customer"}}}}}
  /customers/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Customer"}}}}}}
  /prices:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {unit_amount: {type: integer}}}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Price"}}}}}
  /prices/{price}:
    parameters: [{name: price, in: path, required: true, description: "The price, e.g. `prc_8aZ31kd0`", schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Price"}}}}}}
  /plans:
    get:
      parameters: [{name: expand, in: query, schema: {type: array, items: {type: string}}}]
      responses: {"200": {description: d, content: {application/json: {schema: {type: object, required: [data], properties: {data: {type: array, items: {$ref: "#/components/schemas/Plan"}}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NewPlan"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plan"}}}}}
  /plans/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
      - {name: expand, in: query, schema: {type: array, items: {type: string}}}
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plan"}}}}}}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NewPlan"}}}}
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Plan"}}}}}
  /carts:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {note: {type: string}}}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Cart"}}}}}
  /carts/{cart_id}:
    parameters: [{name: cart_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Cart"}}}}}}
  /carts/{cart_id}/items:
    parameters: [{name: cart_id, in: path, required: true, schema: {type: string}}]
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NewLine"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Cart"}}}}}
  /carts/{cart_id}/items/{item_id}:
    parameters:
      - {name: cart_id, in: path, required: true, schema: {type: string}}
      - {name: item_id, in: path, required: true, schema: {type: string}}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NewLine"}}}}
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Cart"}}}}}
    delete: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Cart"}}}}}}
  /orders:
    get:
      parameters: [{name: created_after, in: query, schema: {type: string, format: date-time}}]
      responses: {"200": {description: d, content: {application/json: {schema: {oneOf: [{type: array, items: {$ref: "#/components/schemas/Order"}}, {type: object, required: [data], properties: {data: {type: array, items: {$ref: "#/components/schemas/Order"}}}}]}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {created: {type: integer}, lines: {type: array, items: {$ref: "#/components/schemas/NewLine"}}}}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}}
components:
  schemas:
    Customer: {type: object, required: [id, name], properties: {id: {type: string, readOnly: true}, name: {type: string}}}
    Price: {type: object, required: [id, unit_amount], properties: {id: {type: string}, unit_amount: {type: integer}}}
    NewPlan: {type: object, properties: {customer: {type: string}, items: {type: array, items: {type: object, properties: {id: {type: string}, price: {type: string}, quantity: {type: integer}}}}, expand: {type: array, items: {type: string}}}}
    Plan:
      type: object
      required: [id, customer, items]
      properties:
        id: {type: string}
        customer: {anyOf: [{type: string}, {$ref: "#/components/schemas/Customer"}]}
        items:
          type: object
          required: [data, has_more, total_count]
          properties:
            data: {type: array, items: {$ref: "#/components/schemas/PlanItem"}}
            has_more: {type: boolean}
            total_count: {type: integer}
    PlanItem: {type: object, required: [id, object, price, plan], properties: {id: {type: string}, object: {const: plan_item}, price: {$ref: "#/components/schemas/Price"}, quantity: {type: integer}, plan: {type: string}}}
    NewLine: {type: object, properties: {quantity: {type: integer}, unit_price: {type: integer}}}
    Line: {type: object, required: [id, quantity, unit_price, line_total], properties: {id: {type: string}, quantity: {type: integer}, unit_price: {type: integer}, line_total: {type: integer}}}
    Cart: {type: object, required: [id, items, total], properties: {id: {type: string}, note: {type: string}, items: {type: array, items: {$ref: "#/components/schemas/Line"}}, total: {type: integer}}}
    Order: {type: object, required: [id, created, lines], properties: {id: {type: string}, created: {type: integer, description: Unix timestamp}, lines: {type: array, items: {$ref: "#/components/schemas/Line"}}}}
)yaml";

class Shapes : public testing::Test {
 protected:
  json send(const std::string& method, const std::string& path, const json& body) {
    return json::parse(service_.send(method, path, body.dump()).body);
  }

  json get(const std::string& path) { return json::parse(service_.get(path).body); }

  json new_plan() {
    ada_ = send("POST", "/customers", {{"name", "Ada"}});
    price_ = send("POST", "/prices", {{"unit_amount", 1200}});
    const json items = json::array({{{"price", price_["id"]}, {"quantity", 2}}});
    return send("POST", "/plans", {{"customer", ada_["id"]}, {"items", items}});
  }

  TestService service_{{{"contract.yaml", kShapesContract}}, 0};
  json ada_;
  json price_;
};

std::string text_at(const json& value) {
  return value.get<std::string>();
}

TEST_F(Shapes, keys_begin_as_the_contract_shows_or_as_their_records_are_called) {
  const json plan = new_plan();

  EXPECT_THAT(text_at(ada_["id"]), StartsWith("cus_"));
  EXPECT_THAT(text_at(price_["id"]), StartsWith("prc_"));
  EXPECT_THAT(text_at(plan["id"]), StartsWith("pla_"));
}

TEST_F(Shapes, a_list_that_is_sent_is_that_of_the_page_around_it) {
  const json plan = new_plan();

  const json item = plan["items"]["data"].at(0);
  EXPECT_EQ(plan["items"]["data"].size(), 1U);
  EXPECT_EQ(plan["items"]["has_more"], false);
  EXPECT_EQ(plan["items"]["total_count"], 1);
  EXPECT_EQ(item["price"], price_);
  EXPECT_EQ(item["quantity"], 2);
  EXPECT_EQ(item["object"], "plan_item");
  EXPECT_EQ(item["plan"], plan["id"]);
  EXPECT_EQ(get("/plans/" + text_at(plan["id"])), plan);
}

TEST_F(Shapes, an_element_that_is_sent_with_its_id_changes_the_one_there_was) {
  const json plan = new_plan();
  const json items = json::array({{{"id", plan["items"]["data"][0]["id"]}, {"quantity", 5}}});
  const json changed = send("PATCH", "/plans/" + text_at(plan["id"]), {{"items", items}});

  EXPECT_EQ(changed["items"]["data"].size(), 1U);
  EXPECT_EQ(changed["items"]["data"][0]["quantity"], 5);
  EXPECT_EQ(changed["items"]["data"][0]["price"], price_);
}

TEST_F(Shapes, references_are_shown_whole_where_a_request_asks_for_it) {
  const json plan = new_plan();
  const std::string path = "/plans/" + text_at(plan["id"]);

  EXPECT_EQ(get(path)["customer"], ada_["id"]);
  EXPECT_EQ(get(path + "?expand=customer")["customer"], ada_);
  EXPECT_EQ(get("/plans?expand=data.customer")["data"][0]["customer"], ada_);
  EXPECT_EQ(get("/plans?expand=customer")["data"][0]["customer"], ada_);
  const json made =
      send("POST", "/plans", {{"customer", ada_["id"]}, {"expand", json::array({"customer"})}});
  EXPECT_EQ(made["customer"], ada_);
  EXPECT_FALSE(made.contains("expand"));
}

TEST(SeededShapes, refer_to_records_that_there_are) {
  TestService service({{"contract.yaml", kShapesContract}}, 3);
  const json plans = json::parse(service.get("/plans?expand=data.customer").body);

  ASSERT_EQ(plans["data"].size(), 3U);
  for (const json& plan : plans["data"]) {
    ASSERT_TRUE(plan["customer"].is_object()) << plan;
    EXPECT_EQ(json::parse(service.get("/customers/" + text_at(plan["customer"]["id"])).body),
              plan["customer"]);
  }
}

TEST_F(Shapes, what_cannot_be_shown_whole_is_in_a_warning) {
  const json plan = send(
      "POST", "/plans",
      {{"customer", "cus_0"}, {"items", json::array({{{"price", "prc_0"}, {"quantity", 1}}})}});
  const auto response = service_.get("/plans/" + text_at(plan["id"]) +
                                     "?expand=customer&expand=items.data.plan&expand=colour");

  std::string warnings;
  for (const auto line : response.headers.all("X-Counterpart-Warning")) {
    warnings += std::string(line) + '\n';
  }
  EXPECT_EQ(json::parse(response.body)["customer"], "cus_0");
  EXPECT_THAT(warnings, HasSubstr("not played: expand customer, because customers has no record"));
  EXPECT_THAT(warnings, HasSubstr("not played: expand items.data.plan, which is no"));
  EXPECT_THAT(warnings, HasSubstr("not played: expand colour, which the response does not have"));
}

TEST_F(Shapes, an_item_is_posted_to_a_cart_which_is_the_response) {
  const std::string path = "/carts/" + text_at(send("POST", "/carts", {{"note", "gift"}})["id"]);
  const json one = send("POST", path + "/items", {{"quantity", 2}, {"unit_price", 150}});
  const json two = send("POST", path + "/items", {{"quantity", 1}, {"unit_price", 100}});

  EXPECT_EQ(one["note"], "gift");
  EXPECT_EQ(one["items"].size(), 1U);
  EXPECT_EQ(one["items"][0]["line_total"], 300);
  EXPECT_EQ(one["total"], 300);
  EXPECT_EQ(two["items"].size(), 2U);
  EXPECT_EQ(two["total"], 400);
  EXPECT_EQ(get(path), two);

  const std::string item = path + "/items/" + text_at(two["items"][0]["id"]);
  const json more = send("PATCH", item, {{"quantity", 3}});
  EXPECT_EQ(more["items"][0]["line_total"], 450);
  EXPECT_EQ(more["total"], 550);
  EXPECT_EQ(json::parse(service_.send("DELETE", item, "").body)["items"].size(), 1U);
}

TEST_F(Shapes, lines_have_keys_of_their_own_and_totals) {
  const json order = send("POST", "/orders",
                          {{"lines", json::array({{{"quantity", 2}, {"unit_price", 10}},
                                                  {{"quantity", 3}, {"unit_price", 5}}})}});

  EXPECT_EQ(order["lines"][0]["line_total"], 20);
  EXPECT_EQ(order["lines"][1]["line_total"], 15);
  EXPECT_NE(order["lines"][0]["id"], order["lines"][1]["id"]);
}

TEST_F(Shapes, a_list_that_may_be_a_page_is_filtered_by_times_of_numbers) {
  send("POST", "/orders", {{"created", 1700000000}});
  send("POST", "/orders", {{"created", 1800000000}});

  EXPECT_EQ(get("/orders").size(), 2U);
  EXPECT_EQ(get("/orders?created_after=2025-01-01T00:00:00Z")[0]["created"], 1800000000);
  EXPECT_EQ(get("/orders?created_after=2025-01-01T00:00:00Z").size(), 1U);
}

}  // namespace
}  // namespace mock_server::service
