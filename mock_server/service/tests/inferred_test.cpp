// A front end's view of a contract without fixtures.

#include "mock_server/service/tests/test_service.hpp"
#include "spec/json/read.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

namespace mock_server::service {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kInferredContract = R"yaml(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    get:
      operationId: list
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
        - {name: per_page, in: query, schema: {type: integer, minimum: 1, default: 2}}
        - {name: sort, in: query, schema: {type: string}}
        - {name: "tag[]", in: query, schema: {type: array, items: {type: string}}}
      responses:
        "200":
          description: all
          headers:
            X-Total-Count: {schema: {type: integer}}
            Link: {schema: {type: string}}
          content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}
    post:
      operationId: create
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Change"}}}}
      responses:
        "201":
          description: made
          headers: {Location: {schema: {type: string, format: uri}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: read
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}
    patch:
      operationId: change
      requestBody:
        content:
          application/json: {schema: {$ref: "#/components/schemas/Change"}}
          application/json-patch+json: {schema: {type: array, items: {type: object}}}
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}
  /orders/{orderId}/ship:
    parameters: [{name: orderId, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: ship
      requestBody: {content: {application/json: {schema: {type: object, properties: {note: {type: string}}}}}}
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}
  /orders/{number}/lines:
    parameters: [{name: number, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: list_lines
      parameters:
        - {name: offset, in: query, schema: {type: integer, default: 0}}
        - {name: limit, in: query, schema: {type: integer, default: 1}}
      responses:
        "200":
          description: page
          content:
            application/json:
              schema:
                type: object
                required: [count, next, previous, results]
                properties:
                  count: {type: integer}
                  next: {type: [string, "null"], format: uri}
                  previous: {type: [string, "null"], format: uri}
                  results: {type: array, items: {$ref: "#/components/schemas/Line"}}
    post:
      operationId: create_line
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Line"}}}}
      responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Line"}}}}}
  /orders/{id}/lines/{sku}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
      - {name: sku, in: path, required: true, schema: {type: string}}
    get:
      operationId: read_line
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Line"}}}}}
  /orders/{id}/address:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: read_address
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Address"}}}}}
    put:
      operationId: put_address
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Address"}}}}
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Address"}}}}}
  /settings:
    get:
      operationId: read_settings
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Settings"}}}}}
    put:
      operationId: put_settings
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Settings"}}}}
      responses: {"204": {description: done}}
    patch:
      operationId: change_settings
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Settings"}}}}
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Settings"}}}}}
  /events:
    get:
      operationId: list_events
      parameters:
        - {name: page_size, in: query, schema: {type: integer, default: 2}}
        - {name: page_token, in: query, schema: {type: string}}
      responses:
        "200":
          description: page
          content:
            application/json:
              schema:
                type: object
                required: [items, next_page_token]
                properties:
                  items: {type: array, items: {$ref: "#/components/schemas/Event"}}
                  next_page_token: {type: string}
    post:
      operationId: create_event
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}
      responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}}
  /events/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: read_event
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}}
    put:
      operationId: put_event
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}}
    patch:
      operationId: change_event
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Event"}}}}}
    delete:
      operationId: delete_event
      responses: {"204": {description: gone}}
  /books:
    get:
      operationId: list_books
      parameters:
        - {name: page, in: query, schema: {type: integer, default: 0}}
        - {name: size, in: query, schema: {type: integer, default: 2}}
      responses:
        "200":
          description: page
          content:
            application/json:
              schema:
                type: object
                required: [content, number, size, numberOfElements, totalElements, first, last, empty]
                properties:
                  content: {type: array, items: {$ref: "#/components/schemas/Line"}}
                  number: {type: integer}
                  size: {type: integer}
                  numberOfElements: {type: integer}
                  totalElements: {type: integer}
                  first: {type: boolean}
                  last: {type: boolean}
                  empty: {type: boolean}
    post:
      operationId: create_book
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Line"}}}}
      responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Line"}}}}}
  /books/{sku}:
    parameters: [{name: sku, in: path, required: true, schema: {type: string}}]
    get:
      operationId: read_book
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Line"}}}}}
components:
  schemas:
    Event: {type: object, required: [id], properties: {id: {type: integer}, note: {type: string}, updated_at: {type: string, format: date-time}}}
    Change: {type: object, properties: {note: {type: string}, total: {type: integer}}}
    Order:
      type: object
      required: [id, note, created_at, updated_at]
      properties:
        id: {type: integer, readOnly: true}
        note: {type: string}
        total: {type: integer}
        created_at: {type: string, format: date-time, readOnly: true}
        updated_at: {type: string, format: date-time, readOnly: true}
    Line: {type: object, required: [sku], properties: {sku: {type: string}, count: {type: integer}}}
    Address: {type: object, required: [city], properties: {city: {type: string}, zip: {type: string}}}
    Settings: {type: object, required: [theme], properties: {theme: {enum: [dark, light]}, language: {type: string, default: en}}}
)yaml";

class Inferred : public ::testing::Test {
 protected:
  spec::http::Response ask(const std::string& method, const std::string& target,
                           const std::string& text = "",
                           const std::string& type = "application/json") {
    spec::http::Request request{method, target, {{"Host", "shop.test:8080"}}, text};
    if (!text.empty()) {
      request.headers.set("Content-Type", type);
    }
    return service_.ask(request).response;
  }

  json body(const spec::http::Response& response) {
    return spec::json::read(response.body).value();
  }

  void make_orders(int count) {
    for (int total = 1; total <= count; ++total) {
      ask("POST", "/orders", R"({"note": "n", "total": )" + std::to_string(total % 4) + "}");
    }
  }

  TestService service_{{{"contract.yaml", kInferredContract}}, std::size_t{0}};
};

TEST_F(Inferred, a_list_says_in_headers_how_many_there_are_and_where_the_others_are) {
  make_orders(5);

  const auto second = ask("GET", "/orders?sort=total%2Cdesc&page=2");

  EXPECT_EQ(second.headers.find("X-Total-Count"), "5");
  const std::string page = "<http://shop.test:8080/orders?sort=total%2Cdesc&page=";
  EXPECT_EQ(second.headers.find("Link"), page + "3>; rel=\"next\", " + page + "1>; rel=\"prev\", " +
                                             page + "1>; rel=\"first\", " + page +
                                             "3>; rel=\"last\"");
  const json orders = body(second);
  EXPECT_EQ(orders[0]["total"], 1);
  EXPECT_EQ(orders[1]["total"], 1);
}

constexpr const char* kCircleContract = R"yaml(
openapi: 3.1.0
info: {title: Circle, version: "1"}
paths:
  /users:
    get:
      operationId: list_users
      responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/User"}}}}}}
  /users/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: read_user
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}}
  /teams:
    get:
      operationId: list_teams
      responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Team"}}}}}}
  /teams/{id}:
    parameters: *id
    get:
      operationId: read_team
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Team"}}}}}
    delete: {operationId: delete_team, responses: {"204": {description: gone}}}
components:
  schemas:
    User: {type: object, required: [id, team_id], properties: {id: {type: integer}, team_id: {type: integer}}}
    Team: {type: object, required: [id, user_id], properties: {id: {type: integer}, user_id: {type: integer}}}
)yaml";

TEST(InferredCircle, records_may_name_each_other_and_one_that_is_named_may_be_deleted) {
  TestService service({{"contract.yaml", kCircleContract}}, std::size_t{3});
  const auto list = [&](const std::string& target) {
    return spec::json::read(service.get(target).body).value();
  };
  const json users = list("/users");
  const json teams = list("/teams");
  ASSERT_EQ(users.size(), 3U);
  ASSERT_EQ(teams.size(), 3U);
  for (const json& team : teams) {
    const auto& named = team.at("user_id");
    EXPECT_EQ(service.get("/users/" + named.dump()).status, 200) << team;
  }

  const std::string team = "/teams/" + users.at(0).at("team_id").dump();
  EXPECT_EQ(service.get(team).status, 200);
  EXPECT_EQ(service.ask({"DELETE", team, {}, ""}).response.status, 204);

  EXPECT_EQ(service.get(team).status, 404);
  EXPECT_EQ(list("/users"), users);
}

TEST_F(Inferred, a_list_of_one_page_has_no_links_of_its_own_making) {
  make_orders(1);
  EXPECT_EQ(ask("GET", "/orders").headers.find("Link"), std::nullopt);
  EXPECT_EQ(ask("GET", "/orders").headers.find("X-Total-Count"), "1");

  std::string text = kInferredContract;
  const std::string optional = "Link: {schema";
  text.replace(text.find(optional), optional.size(), "Link: {required: true, schema");
  TestService strict({{"contract.yaml", text}}, std::size_t{0});
  spec::http::Request request{"GET", "/_s/a/orders", {{"Host", "shop.test"}}, ""};
  strict.ask({"POST", "/_s/a/orders", {{"Content-Type", "application/json"}}, R"({"total": 1})"});
  const std::string page = "<http://shop.test/_s/a/orders?page=1>; rel=";
  EXPECT_EQ(strict.ask(request).response.headers.find("Link"),
            page + "\"first\", " + page + "\"last\"");
}

TEST_F(Inferred, the_links_of_a_list_lead_through_all_of_it) {
  make_orders(5);
  std::string target = "/orders?per_page=2&tag%5B%5D=a";
  std::size_t seen = 0;
  int pages = 0;

  for (; !target.empty() && pages < 10; ++pages) {
    const auto page = ask("GET", target);
    seen += body(page).size();
    const std::string links(page.headers.find("Link").value_or(""));
    const std::size_t end = links.find(">; rel=\"next\"");
    const std::size_t start = links.find('/', std::string("<http://").size());
    target = end == std::string::npos ? "" : links.substr(start, end - start);
  }

  EXPECT_EQ(seen, 5U);
  EXPECT_EQ(pages, 3);
}

TEST_F(Inferred, a_list_says_in_its_body_where_the_pages_beside_it_are) {
  make_orders(1);
  for (const std::string sku : {"a", "b", "c"}) {
    ask("POST", "/orders/1/lines", R"({"sku": ")" + sku + "\"}");
  }

  const json first = body(ask("GET", "/orders/1/lines"));
  const json middle = body(ask("GET", "/orders/1/lines?offset=1"));
  const json last = body(ask("GET", "/orders/1/lines?offset=2"));

  const std::string url = "http://shop.test:8080/orders/1/lines?offset=";
  EXPECT_EQ(first, (json{{"count", 3},
                         {"next", url + "1"},
                         {"previous", nullptr},
                         {"results", json::array({{{"sku", "a"}}})}}));
  EXPECT_EQ(middle["next"], url + "2");
  EXPECT_EQ(middle["previous"], url + "0");
  EXPECT_EQ(last["next"], nullptr);
}

TEST_F(Inferred, parameters_of_one_path_may_have_other_names_than_those_of_another) {
  make_orders(1);
  ask("POST", "/orders/1/lines", R"({"sku": "a", "count": 2})");

  EXPECT_EQ(body(ask("GET", "/orders/1/lines/a")), (json{{"sku", "a"}, {"count", 2}}));
  EXPECT_EQ(ask("GET", "/orders/1/lines/b").status, 404);
}

TEST_F(Inferred, a_location_is_a_whole_url_where_the_contract_wants_one) {
  const auto made = ask("POST", "/orders", R"({"note": "n"})");

  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.headers.find("Location"), "http://shop.test:8080/orders/1");
}

TEST_F(Inferred, a_change_renews_its_time_and_no_other) {
  make_orders(1);
  const json before = body(ask("GET", "/orders/1"));
  service_.now += std::chrono::hours(1);

  const json same = body(ask("PATCH", "/orders/1", R"({"note": "n"})"));
  const json changed = body(ask("PATCH", "/orders/1", R"({"note": "other"})"));

  EXPECT_EQ(same, before);
  EXPECT_EQ(changed["created_at"], before["created_at"]);
  EXPECT_NE(changed["updated_at"], before["updated_at"]);
  EXPECT_EQ(body(ask("GET", "/orders/1")), changed);
}

TEST_F(Inferred, a_json_patch_is_done_whole_or_not_at_all) {
  constexpr const char* kType = "application/json-patch+json";
  make_orders(1);

  const auto done =
      ask("PATCH", "/orders/1", R"([{"op": "replace", "path": "/note", "value": "x"}])", kType);
  const auto missing = ask("PATCH", "/orders/1",
                           R"([{"op": "replace", "path": "/note", "value": "y"},
                               {"op": "remove", "path": "/none"}])",
                           kType);
  const auto wrong = ask("PATCH", "/orders/1", R"([{"op": "turn", "path": "/note"}])", kType);
  const auto whole =
      ask("PATCH", "/orders/1", R"([{"op": "replace", "path": "", "value": 5}])", kType);
  const auto moved =
      ask("PATCH", "/orders/1", R"([{"op": "replace", "path": "/id", "value": 7}])", kType);

  EXPECT_EQ(body(done)["note"], "x");
  EXPECT_EQ(missing.status, 409) << missing.body;
  EXPECT_THAT(missing.body, HasSubstr("none"));
  EXPECT_EQ(wrong.status, 422) << wrong.body;
  EXPECT_EQ(moved.status, 422) << moved.body;
  EXPECT_EQ(whole.status, 422) << whole.body;
  EXPECT_EQ(body(ask("GET", "/orders/1"))["note"], "x");
}

TEST_F(Inferred, an_action_shows_the_record_that_it_is_about) {
  make_orders(1);

  const json shipped = body(ask("POST", "/orders/1/ship", R"({"note": "sent"})"));

  EXPECT_EQ(shipped["note"], "sent");
  EXPECT_EQ(body(ask("GET", "/orders/1")), shipped);
  EXPECT_EQ(ask("POST", "/orders/2/ship", "{}").status, 404);
}

TEST_F(Inferred, a_cursor_leads_to_the_end_and_over_what_is_deleted) {
  for (int count = 0; count < 5; ++count) {
    ask("POST", "/events", R"({"id": )" + std::to_string(count + 1) + "}");
  }

  const json first = body(ask("GET", "/events"));
  ask("DELETE", "/events/2");
  const json second = body(ask("GET", "/events?page_token=2"));
  const json last = body(ask("GET", "/events?page_token=4"));

  EXPECT_EQ(first["next_page_token"], "2");
  EXPECT_EQ(second["items"][0]["id"], 3);
  EXPECT_EQ(last["items"][0]["id"], 5);
  EXPECT_EQ(last["next_page_token"], "");
  EXPECT_EQ(body(ask("GET", "/events?page_token=none"))["items"], json::array());
  EXPECT_EQ(body(ask("GET", "/events?page_token="))["items"][0]["id"], 1);
}

TEST_F(Inferred, a_page_says_which_it_is) {
  for (const std::string sku : {"a", "b", "c"}) {
    ask("POST", "/books", R"({"sku": ")" + sku + "\"}");
  }

  EXPECT_EQ(body(ask("GET", "/books?page=1")), (json{{"content", json::array({{{"sku", "c"}}})},
                                                     {"number", 1},
                                                     {"size", 2},
                                                     {"numberOfElements", 1},
                                                     {"totalElements", 3},
                                                     {"first", false},
                                                     {"last", true},
                                                     {"empty", false}}));
}

TEST_F(Inferred, a_put_renews_a_time_that_it_could_set) {
  ask("POST", "/events", R"({"id": 1, "note": "a"})");

  const json put = body(ask("PUT", "/events/1", R"({"id": 1, "note": "b"})"));
  const json set =
      body(ask("PUT", "/events/1", R"({"id": 1, "updated_at": "2020-01-01T00:00:00Z"})"));

  EXPECT_TRUE(put.contains("updated_at")) << put;
  EXPECT_EQ(set["updated_at"], "2020-01-01T00:00:00Z");
}

TEST_F(Inferred, a_key_is_a_whole_number_however_it_is_written) {
  EXPECT_EQ(ask("POST", "/events", R"({"id": 7.0})").status, 201);
  EXPECT_EQ(ask("GET", "/events/7").status, 200);
  EXPECT_EQ(ask("PUT", "/events/7", R"({"id": 7.0, "note": "x"})").status, 200);
  EXPECT_EQ(ask("POST", "/events", R"({"id": 3.00})").status, 201);
  EXPECT_EQ(ask("GET", "/events/3").status, 200);
  EXPECT_EQ(ask("POST", "/books", R"({"sku": ""})").status, 422);
}

TEST_F(Inferred, what_a_first_change_began_goes_on_without_the_record) {
  ask("PATCH", "/events/7", R"({"id": 7, "note": "x"})");
  ask("DELETE", "/events/7");

  EXPECT_EQ(body(ask("GET", "/events"))["items"], json::array());
  EXPECT_EQ(ask("GET", "/events/8").status, 404);
}

TEST_F(Inferred, what_there_is_once_is_kept) {
  const json before = body(ask("GET", "/settings"));

  EXPECT_EQ(ask("PUT", "/settings", R"({"theme": "dark"})").status, 204);
  EXPECT_EQ(body(ask("GET", "/settings")), (json{{"theme", "dark"}, {"language", "en"}}));
  EXPECT_EQ(body(ask("PATCH", "/settings", R"({"theme": "dark", "language": "nl"})")),
            (json{{"theme", "dark"}, {"language", "nl"}}));
  EXPECT_EQ(body(ask("GET", "/settings"))["language"], "nl");
  EXPECT_TRUE(before.contains("theme"));
}

TEST_F(Inferred, what_there_is_once_for_each_parent_is_its_own) {
  make_orders(2);
  ask("PUT", "/orders/1/address", R"({"city": "Utrecht"})");

  EXPECT_EQ(body(ask("GET", "/orders/1/address")), (json{{"city", "Utrecht"}}));
  EXPECT_EQ(ask("GET", "/orders/2/address").status, 200);
  EXPECT_EQ(ask("GET", "/orders/3/address").status, 404);
}

}  // namespace
}  // namespace mock_server::service
