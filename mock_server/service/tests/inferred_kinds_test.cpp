// Kinds of contracts whose records are inferred: lists alone, and records that are shown otherwise.

#include "mock_server/service/tests/test_service.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace mock_server::service {
namespace {

using nlohmann::json;

constexpr const char* kLists = R"yaml(
openapi: 3.1.0
info: {title: Lists, version: "1"}
paths:
  /currencies:
    get:
      parameters: [{name: code, in: query, schema: {type: string}}]
      responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Currency"}}}}}}
  /shown:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Currency"}}, example: [{id: 1, code: EUR}]}}}}}
  /account/prices:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Price"}}}}}}}
  /prices:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Price"}}}}}}}
    post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Price"}}}}, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Price"}}}}}}
  /prices/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Price"}}}}}}
    delete: {responses: {"204": {description: d}}}
components:
  schemas:
    Currency: {type: object, required: [id, code], properties: {id: {type: integer}, code: {type: string}}}
    Price: {type: object, required: [id, currency_id], properties: {id: {type: integer}, currency_id: {type: integer}}}
)yaml";

TEST(InferredKinds, a_list_alone_has_the_records_that_others_name) {
  TestService service({{"contract.yaml", kLists}}, 3);
  const json all = json::parse(service.get("/currencies").body);
  const std::string code = all.at(1).at("code");

  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(json::parse(service.get("/currencies?code=" + code).body).at(0), all.at(1));
  EXPECT_EQ(json::parse(service.get("/prices").body).at(2).at("currency_id"), all.at(2).at("id"));
  EXPECT_EQ(service.get("/shown").body, R"([{"code":"EUR","id":1}])");
}

TEST(InferredKinds, a_list_elsewhere_shows_the_same_records) {
  TestService service({{"contract.yaml", kLists}}, 3);
  ASSERT_EQ(service.send("DELETE", "/prices/2", "").status, 204);

  EXPECT_EQ(service.get("/account/prices").body, service.get("/prices").body);
  EXPECT_EQ(json::parse(service.get("/account/prices").body).size(), 2U);
}

constexpr const char* kOtherwise = R"yaml(
openapi: 3.1.0
info: {title: Otherwise, version: "1"}
paths:
  /licenses:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {number: {type: string}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Opaque"}}}}}}
  /licenses/{licenseNumber}:
    parameters: [{name: licenseNumber, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Opaque"}}}}}}
    delete: {responses: {"204": {description: d}}}
  /keys:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Key"}}}}}}}
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}, responses: {"201": {description: d, headers: {Location: {schema: {type: string}}}}}}
  /keys/{fingerprint}:
    parameters: [{name: fingerprint, in: path, required: true, schema: {type: string}}]
    delete: {responses: {"204": {description: d}}}
  /reports/{day}/figures:
    parameters: [{name: day, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: object, required: [day, name], properties: {day: {type: string}, name: {type: string}}}}}}}}
  /absences:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {reason: {type: string}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {type: object, required: [data], properties: {data: {type: object, required: [attributes], properties: {attributes: {$ref: "#/components/schemas/Absence"}}}}}}}}}}
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Absence"}}}}}}}
  /absences/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {state: {type: string}}}}}}}}
    delete: {responses: {"204": {description: d}}}
components:
  schemas:
    Opaque: {type: object, required: [items], properties: {items: {type: object}}}
    Key: {type: object, required: [fingerprint, text], properties: {fingerprint: {type: string}, text: {type: string}}}
    Absence: {type: object, required: [id], properties: {id: {type: integer}, reason: {type: string}}}
)yaml";

TEST(InferredKinds, what_is_read_otherwise_than_it_is_created_is_gone_when_deleted) {
  TestService service({{"contract.yaml", kOtherwise}}, 3);
  ASSERT_EQ(service.send("POST", "/licenses", R"({"number": "L-7"})").status, 201);

  EXPECT_EQ(service.get("/licenses/L-7").status, 200);
  EXPECT_EQ(service.send("DELETE", "/licenses/L-7", "").status, 204);
  EXPECT_EQ(service.get("/licenses/L-7").status, 404);
}

TEST(InferredKinds, a_record_in_attributes_of_data_is_found_by_its_key) {
  TestService service({{"contract.yaml", kOtherwise}}, 3);
  const auto created = service.send("POST", "/absences", R"({"reason": "moving"})");
  const json made = json::parse(created.body).at("data").at("attributes");
  const std::string path = "/absences/" + made.at("id").dump();

  EXPECT_EQ(made.at("reason"), "moving");
  EXPECT_EQ(service.get(path).status, 200);
  EXPECT_EQ(service.send("DELETE", path, "").status, 204);
  EXPECT_EQ(service.get(path).status, 404);
}

TEST(InferredKinds, the_location_of_a_record_that_nothing_reads_alone_has_its_key) {
  TestService service({{"contract.yaml", kOtherwise}}, 3);
  const auto created = service.send("POST", "/keys", R"({"text": "abc"})");
  const std::string path(created.headers.find("Location").value_or(""));
  ASSERT_TRUE(path.starts_with("/keys/")) << path;

  EXPECT_EQ(service.send("DELETE", path, "").status, 204);
  EXPECT_EQ(service.get("/keys").body.find("abc"), std::string::npos);
}

TEST(InferredKinds, a_generated_response_is_kept_for_its_path) {
  TestService service({{"contract.yaml", kOtherwise}}, 3);
  const std::string first = service.get("/reports/monday/figures").body;

  EXPECT_EQ(json::parse(first).at("day"), "monday");
  EXPECT_EQ(service.get("/reports/monday/figures").body, first);
  EXPECT_EQ(json::parse(service.get("/reports/friday/figures").body).at("day"), "friday");
}

constexpr const char* kBooks = R"yaml(
openapi: 3.1.0
info: {title: Books, version: "1"}
paths:
  /authors: {get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Author"}}}}}}}}
  /authors/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Author"}}}}}}
    delete: {responses: {"204": {description: d}}}
  /books:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Book"}}}}}}}
    post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Sent"}}}}, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Book"}}}}}}
  /books/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Book"}}}}}}
  /statistics:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: object, required: [best, last_author_id], properties: {last_author_id: {type: string}, best: {type: array, minItems: 2, items: {type: object, required: [author_id], properties: {author_id: {type: string}}}}}}}}}}}
  /statistics/{author_id}/sales:
    parameters: [{name: author_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: object, required: [author_id, sold], properties: {author_id: {type: string}, sold: {type: integer}}}}}}}}
components:
  schemas:
    Author: {type: object, required: [id, name, born], properties: {id: {type: string}, name: {type: string}, born: {type: integer}, address: {type: object, required: [city], properties: {city: {type: string}}}}}
    Sent: {type: object, properties: {title: {type: string}, author_id: {type: string}, second_author: {type: object, properties: {id: {type: string}}}}}
    Book:
      type: object
      required: [id, title, author_id, author, second_author, holder, reviewer_author_ids]
      properties:
        id: {type: string}
        title: {type: string}
        author_id: {type: string}
        author: {type: object, required: [id, name], additionalProperties: false, properties: {id: {type: string}, name: {type: string}}}
        second_author: {type: object, required: [id, name], properties: {id: {type: string}, name: {type: string}, born: {type: integer}}}
        holder: {$ref: "#/components/schemas/Author"}
        reviewer_author_ids: {type: array, minItems: 2, items: {type: string}}
)yaml";

class InferredReferences : public testing::Test {
 protected:
  json get(const std::string& path) { return json::parse(service_.get(path).body); }

  json create(const char* sent) { return json::parse(service_.send("POST", "/books", sent).body); }

  // The author of that key, who must be there.
  json author(const json& key) {
    const auto response = service_.get("/authors/" + key.get<std::string>());
    EXPECT_EQ(response.status, 200) << key;
    return response.status == 200 ? json::parse(response.body) : json::object();
  }

  // Every member of `shown` is as the author has it.
  void expect_shows_author(const json& shown) {
    const json whole = author(shown.at("id"));
    for (const auto& [name, value] : shown.items()) {
      EXPECT_EQ(value, whole.value(name, json())) << shown;
    }
  }

  void expect_names_authors(const json& book) {
    expect_shows_author(book.at("author"));
    expect_shows_author(book.at("holder"));
    EXPECT_EQ(book.at("author").at("id"), book.at("author_id"));
    for (const json& key : book.at("reviewer_author_ids")) {
      author(key);
    }
  }

  TestService service_{{{"contract.yaml", kBooks}}, 3};
};

TEST_F(InferredReferences, are_named_and_shown_by_records_to_start_with) {
  for (const json& book : get("/books")) {
    expect_names_authors(book);
  }
}

TEST_F(InferredReferences, are_named_and_shown_where_a_request_leaves_them_out) {
  const std::string first = get("/authors").at(0).at("id");
  ASSERT_EQ(service_.send("DELETE", "/authors/" + first, "").status, 204);

  for (const char* const sent :
       {R"({"title": "One"})", R"({"title": "Two"})", R"({"title": "3"})"}) {
    expect_names_authors(create(sent));
  }
}

TEST_F(InferredReferences, are_shown_of_the_key_that_was_sent) {
  const json last = get("/authors").at(2);
  const json book =
      create(json{{"author_id", last.at("id")}, {"second_author", {{"id", last.at("id")}}}}
                 .dump()
                 .c_str());

  EXPECT_EQ(book.at("author"), (json{{"id", last.at("id")}, {"name", last.at("name")}}));
  expect_shows_author(book.at("second_author"));
  EXPECT_EQ(book.at("second_author").at("id"), last.at("id"));
}

TEST_F(InferredReferences, are_named_by_generated_bodies_but_for_what_the_path_says) {
  const json all = get("/statistics");
  for (const json& one : all.at("best")) {
    author(one.at("author_id"));
  }
  author(all.at("last_author_id"));
  EXPECT_EQ(get("/statistics/nobody/sales").at("author_id"), "nobody");
}

constexpr const char* kSentOtherwise = R"yaml(
openapi: 3.0.3
info: {title: Sent otherwise, version: "1"}
paths:
  /orders:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {properties: {customer: {properties: {id: {type: integer}}}}}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}}
  /tags:
    post:
      parameters: [{name: name, in: query, required: true, schema: {type: string}}]
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Tag"}}}}}
  /tags/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Tag"}}}}}}
  /notes:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Tag"}}}}}}}
    post: {requestBody: {content: {application/json: {schema: {type: string}}}}, responses: {"204": {description: d}}}
components:
  schemas:
    Order: {type: object, required: [id], properties: {id: {type: integer}, customer: {properties: {customer: {properties: {email: {type: string}}}}}}}
    Tag: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}, colour: {type: string}}}
)yaml";

TEST(InferredKinds, an_object_is_shown_with_documented_members_besides_what_was_sent) {
  TestService service({{"contract.yaml", kSentOtherwise}}, 0);
  const json made = json::parse(service.send("POST", "/orders", R"({"customer":{"id":7}})").body);
  const std::string path = "/orders/" + made.at("id").dump();

  EXPECT_EQ(made.at("customer").at("id"), 7);
  EXPECT_TRUE(made.at("customer").at("customer").contains("email")) << made;
  EXPECT_EQ(json::parse(service.get(path).body).at("customer").at("id"), 7);
  EXPECT_EQ(json::parse(service.get("/orders").body).at(0).at("customer"), made.at("customer"));
}

TEST(InferredKinds, a_record_is_created_by_parameters_alone) {
  TestService service({{"contract.yaml", kSentOtherwise}}, 0);
  const json made = json::parse(service.send("POST", "/tags?name=blue", "").body);

  EXPECT_EQ(made.at("name"), "blue");
  EXPECT_EQ(json::parse(service.get("/tags/" + made.at("id").dump()).body), made);
}

TEST(InferredKinds, a_text_is_no_record_to_create) {
  TestService service({{"contract.yaml", kSentOtherwise}}, 0);

  EXPECT_EQ(service.send("POST", "/notes", "\"hello\"").status, 204);
}

constexpr const char* kContradictions = R"yaml(
openapi: 3.0.3
info: {title: Contradictions, version: "1"}
paths:
  /carriers:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {allOf: [{$ref: "#/components/schemas/List"}, {$ref: "#/components/schemas/Errors"}]}}}}}}
  /pool:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {required: [disk], properties: {disk: {type: integer, enum: [Standard, Premium]}}}}}}}}
  /employees:
    get:
      responses:
        "200":
          description: d
          content:
            application/json:
              schema: {allOf: [{$ref: "#/components/schemas/Response"}, {properties: {data: {type: array, items: {type: string}}}}]}
              example: {data: [Ann]}
components:
  schemas:
    List: {type: object, additionalProperties: false, required: [carriers], properties: {carriers: {type: array, items: {type: string}}}}
    Errors: {type: object, additionalProperties: false, required: [errors], properties: {errors: {type: array, items: {type: string}}}}
    Response: {type: object, required: [data], properties: {data: {type: object}}}
)yaml";

TEST(InferredKinds, a_schema_that_contradicts_itself_is_still_shown) {
  TestService service({{"contract.yaml", kContradictions}}, 0);
  const json carriers = json::parse(service.get("/carriers").body);

  EXPECT_TRUE(carriers.contains("carriers") && carriers.contains("errors")) << carriers;
  EXPECT_TRUE(json::parse(service.get("/pool").body).at("disk").is_string());
  EXPECT_EQ(service.get("/employees").body, R"({"data":["Ann"]})");
}

constexpr const char* kOrders = R"yaml(
openapi: 3.1.0
info: {title: Orders, version: "1"}
paths:
  /orders:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}}}}
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {currency: {type: string}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}}
  /prices: {get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Price"}}}}}}}}
components:
  schemas:
    Price: {type: object, required: [id, unit_price, currency], properties: {id: {type: string}, unit_price: {type: integer}, currency: {type: string}}}
    Order:
      type: object
      required: [id, currency, country, city, total, lines, lines_count, shipping]
      properties:
        id: {type: string}
        currency: {type: string}
        country: {enum: [AF, AG, DE, FR, JP, US, GB, IT, ES, SE, NL, KE, IN, BR, CA, AU, FJ, PW]}
        city: {type: string}
        total: {type: integer}
        lines_count: {type: integer}
        shipping: {type: object, required: [amount, currency], properties: {amount: {type: integer}, currency: {type: string}}}
        lines: {type: array, minItems: 2, items: {type: object, required: [quantity, unit_price, price], properties: {quantity: {type: integer}, unit_price: {type: integer}, price: {$ref: "#/components/schemas/Price"}}}}
)yaml";

void expect_agrees(const json& order, const std::string& currency) {
  int sum = 0;
  for (const json& line : order.at("lines")) {
    sum += line.at("quantity").get<int>() * line.at("unit_price").get<int>();
    EXPECT_EQ(line.at("price").at("currency"), currency) << order;
  }
  EXPECT_EQ(order.at("shipping").at("currency"), currency) << order;
  EXPECT_EQ(order.at("currency"), currency) << order;
  EXPECT_EQ(order.at("total"), sum) << order;
  EXPECT_EQ(order.at("lines_count"), order.at("lines").size()) << order;
}

TEST(InferredKinds, records_have_one_currency_and_totals_of_their_lines) {
  TestService service({{"contract.yaml", kOrders}}, 5);
  const json orders = json::parse(service.get("/orders").body);
  const std::string currency = orders.at(0).at("currency");

  ASSERT_EQ(orders.size(), 5U);
  for (const json& order : orders) {
    expect_agrees(order, currency);
    EXPECT_NE(order.at("country"), "FJ");
    EXPECT_NE(order.at("country"), "PW");
  }
  expect_agrees(json::parse(service.send("POST", "/orders", "{}").body), currency);
  EXPECT_EQ(json::parse(service.send("POST", "/orders", R"({"currency": "SEK"})").body)
                .at("shipping")
                .at("currency"),
            "SEK");
}

}  // namespace
}  // namespace mock_server::service
