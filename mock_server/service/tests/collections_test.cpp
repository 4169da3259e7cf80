// Bindings that create, replace, delete and list the records of collections.

#include "mock_server/service/tests/test_service.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace mock_server::service {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kTodoContract = R"yaml(
openapi: 3.1.0
info: {title: To do, version: "1"}
paths:
  /todos:
    get:
      operationId: list_todos
      parameters:
        - {name: done, in: query, schema: {type: boolean}}
        - {name: q, in: query, schema: {type: string}}
        - {name: sort, in: query, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer, default: 3}}
        - {name: offset, in: query, schema: {type: integer}}
        - {name: after, in: query, schema: {type: string}}
      responses:
        "200":
          description: page
          content:
            application/json:
              schema:
                type: object
                required: [object, items, total, more]
                properties:
                  object: {const: list}
                  items: {type: array, items: {$ref: "#/components/schemas/Todo"}}
                  total: {type: integer}
                  more: {type: boolean}
                  next: {type: [integer, string, "null"]}
    post:
      operationId: create_todo
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewTodo"}}}}
      responses:
        "201":
          description: made
          headers: {Location: {required: true, schema: {type: string}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}
  /todos/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: get_todo
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}}}
    put:
      operationId: put_todo
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewTodo"}}}}
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}}}
    patch:
      operationId: patch_todo
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}}}
    delete:
      operationId: delete_todo
      responses: {"204": {description: gone}}
  /todos/{id}/notes:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: list_notes
      responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Note"}}}}}}
  /todos/{id}/notes/{name}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
      - {name: name, in: path, required: true, schema: {type: string}}
    put:
      operationId: put_note
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses:
        "200": {description: changed, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
        "201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
    get:
      operationId: get_note
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}
components:
  schemas:
    NewTodo:
      type: object
      required: [title]
      properties:
        id: {type: integer}
        title: {type: string}
        done: {type: boolean, default: false}
        due: {type: string, format: date}
    Todo:
      type: object
      required: [id, title, done, created_at]
      properties:
        id: {type: integer}
        title: {type: string}
        done: {type: boolean}
        due: {type: string, format: date}
        created_at: {type: string, format: date-time}
    Note:
      type: object
      required: [name, text]
      additionalProperties: false
      properties: {name: {type: string}, text: {type: string}}
)yaml";

constexpr const char* kFileContract = R"yaml(
openapi: 3.1.0
info: {title: Files, version: "1"}
paths:
  /dirs/{dir}/files/{name}:
    parameters:
      - {name: dir, in: path, required: true, schema: {type: string}}
      - {name: name, in: path, required: true, schema: {type: string}}
    put:
      operationId: put_file
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses:
        "200": {description: changed, content: {application/json: {schema: {$ref: "#/components/schemas/File"}}}}
        "201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/File"}}}}
    get:
      operationId: get_file
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/File"}}}}}
  /dirs/{dir}/files/{name}/lines/{id}:
    parameters:
      - {name: dir, in: path, required: true, schema: {type: string}}
      - {name: name, in: path, required: true, schema: {type: string}}
      - {name: id, in: path, required: true, schema: {type: string}}
    put:
      operationId: put_line
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Line"}}}}}
    get:
      operationId: get_line
      responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Line"}}}}}
components:
  schemas:
    Line: {type: object, required: [id], properties: {id: {type: string}}}
    File:
      type: object
      required: [name]
      properties: {name: {type: string}, size: {type: integer}}
)yaml";

constexpr const char* kOrderContract = R"yaml(
openapi: 3.1.0
info: {title: Orders, version: "1"}
paths:
  /orders:
    get:
      operationId: list_orders
      parameters:
        - {name: paid, in: query, schema: {type: string}}
        - {name: table, in: query, schema: {type: string}}
      responses: {"200": {description: all, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}}}
    post:
      operationId: create_order
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewOrder"}}}}
      responses: {"201": {description: made, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}
components:
  schemas:
    NewOrder:
      type: object
      properties: {paid: {type: boolean}, table: {type: integer}}
    Order:
      type: object
      required: [id, paid, table, state]
      properties:
        id: {type: integer}
        paid: {type: boolean}
        table: {type: integer}
        state: {const: open}
        deletedAt: {type: [string, "null"], format: date-time}
        archived_at: {type: string, format: date-time}
        waiter: {type: [string, "null"]}
        discount: {type: [integer, "null"], default: 5}
)yaml";

constexpr const char* kTodoOperations = R"yaml(
collections:
  todos: {id: /id, defaults: {created_at: {now: true}}}
  notes: {id: /name, scoped: true}
operations:
  list_todos:
    behaviour: list
    collection: todos
    into: /items
    sort: /query/sort
    filters:
      - {given: /query/done, at: /done, is: equal}
      - {given: /query/q, at: /title, is: contains}
    paging: {size: /query/limit, offset: /query/offset, cursor: /query/after}
    totals: {count: /total, more: /more, next: /next}
  create_todo: {behaviour: create, collection: todos}
  get_todo: {behaviour: read, collection: todos, key: /path/id}
  put_todo: {behaviour: replace, collection: todos, key: /path/id}
  patch_todo: {behaviour: update, collection: todos, key: /path/id, fields: all}
  delete_todo: {behaviour: delete, collection: todos, key: /path/id}
  list_notes:
    behaviour: list
    collection: notes
    into: ""
    within: [{at: /todo, given: /path/id, in: todos}]
  put_note:
    behaviour: replace
    collection: notes
    key: /path/name
    creates: true
    within: [{at: /todo, given: /path/id, in: todos}]
  get_note:
    behaviour: read
    collection: notes
    key: /path/name
    within: [{at: /todo, given: /path/id, in: todos}]
)yaml";

class Collections : public ::testing::Test {
 protected:
  json body(const spec::http::Response& response) {
    return spec::json::read(response.body).value();
  }

  json post(const std::string& text) { return body(service_.send("POST", "/todos", text)); }

  std::vector<int> ids(const std::string& target) {
    std::vector<int> found;
    const json page = body(service_.get(target));
    for (const json& one : page.at("items")) {
      found.push_back(one.at("id").get<int>());
    }
    return found;
  }

  TestService service_{
      {{"contract.yaml", kTodoContract}, {"fixtures/operations.yaml", kTodoOperations}}};
};

TEST_F(Collections, what_is_posted_is_read) {
  const auto made = service_.send("POST", "/todos", R"({"title": "Buy milk"})");

  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.headers.find("Location"), "/todos/1");
  EXPECT_EQ(body(made), (json{{"id", 1},
                              {"title", "Buy milk"},
                              {"done", false},
                              {"created_at", "2026-01-01T00:00:00.000000Z"}}));
  EXPECT_EQ(service_.get("/todos/1").body, made.body);
  EXPECT_EQ(ids("/todos"), std::vector{1});
}

TEST_F(Collections, a_key_that_is_taken_is_a_conflict) {
  post(R"({"id": 7, "title": "seven"})");

  const auto again = service_.send("POST", "/todos", R"({"id": 7, "title": "other"})");

  EXPECT_EQ(again.status, 409);
  EXPECT_THAT(again.body, HasSubstr(R"(there is a record \"7\" in todos already)"));
  EXPECT_EQ(body(service_.get("/todos/7")).at("title"), "seven");
}

TEST(CollectionKeys, a_number_and_its_text_are_one_key) {
  TestService service({{"contract.yaml", R"(openapi: 3.1.0
info: {title: Tags, version: "1"}
paths:
  /tags:
    post:
      operationId: create_tag
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Tag"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Tag"}}}}}
  /tags/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get_tag, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Tag"}}}}}}
components: {schemas: {Tag: {type: object, required: [id], properties: {id: {type: [integer, string]}}}}}
)"}},
                      0);
  ASSERT_EQ(service.send("POST", "/tags", R"({"id": 7})").status, 201);

  EXPECT_EQ(service.send("POST", "/tags", R"({"id": "7"})").status, 409);
  EXPECT_EQ(service.send("POST", "/tags", R"({"id": "07"})").status, 201);
  EXPECT_EQ(json::parse(service.get("/tags/7").body), (json{{"id", 7}}));
}

TEST_F(Collections, what_is_deleted_is_not_there_and_its_number_is_not_used_again) {
  post(R"({"title": "one"})");
  post(R"({"title": "two"})");

  EXPECT_EQ(service_.ask({"DELETE", "/todos/2", {}, ""}).response.status, 204);

  EXPECT_EQ(service_.get("/todos/2").status, 404);
  EXPECT_EQ(service_.ask({"DELETE", "/todos/2", {}, ""}).response.status, 404);
  EXPECT_EQ(post(R"({"title": "three"})").at("id"), 3);
  EXPECT_THAT(ids("/todos"), ElementsAre(1, 3));
}

TEST_F(Collections, a_put_keeps_what_the_body_cannot_say) {
  const json before = post(R"({"title": "one", "due": "2026-02-01"})");
  service_.now += std::chrono::hours(1);

  const auto changed = service_.send("PUT", "/todos/1", R"({"title": "uno", "done": true})");

  EXPECT_EQ(
      body(changed),
      (json{{"id", 1}, {"title", "uno"}, {"done", true}, {"created_at", before.at("created_at")}}));
  EXPECT_EQ(service_.get("/todos/1").body, changed.body);
  EXPECT_EQ(service_.send("PUT", "/todos/9", R"({"title": "none"})").status, 404);
}

TEST_F(Collections, a_patch_changes_what_it_says) {
  post(R"({"title": "one", "due": "2026-02-01"})");

  const auto response = service_.send("PATCH", "/todos/1", R"({"done": true, "due": null})");

  ASSERT_EQ(response.status, 200) << response.body;
  const json changed = body(response);

  EXPECT_EQ(changed.at("title"), "one");
  EXPECT_EQ(changed.at("done"), true);
  EXPECT_FALSE(changed.contains("due"));
  EXPECT_EQ(body(service_.get("/todos/1")), changed);
}

TEST_F(Collections, keys_do_not_change) {
  post(R"({"title": "one"})");

  for (const std::string method : {"PUT", "PATCH"}) {
    const auto other = service_.send(method, "/todos/1", R"({"id": 2, "title": "x"})");
    EXPECT_EQ(other.status, 422);
    EXPECT_THAT(other.body, HasSubstr(R"(body/id: must be the key in the path \"1\", but is 2)"));
  }
  EXPECT_EQ(body(service_.get("/todos/1")).at("title"), "one");
}

TEST_F(Collections, lists_are_filtered_sorted_and_cut_to_pages) {
  for (const std::string title : {"c", "a", "Bread", "d", "bread"}) {
    post(R"({"title": ")" + title + R"(", "done": )" + (title == "d" ? "true" : "false") + '}');
  }

  EXPECT_THAT(ids("/todos"), ElementsAre(1, 2, 3));
  EXPECT_THAT(ids("/todos?offset=3"), ElementsAre(4, 5));
  EXPECT_THAT(ids("/todos?limit=2&after=2"), ElementsAre(3, 4));
  EXPECT_THAT(ids("/todos?done=true"), ElementsAre(4));
  EXPECT_THAT(ids("/todos?q=BREAD"), ElementsAre(3, 5));
  EXPECT_THAT(ids("/todos?sort=-title&limit=5"), ElementsAre(4, 1, 5, 2, 3));
  EXPECT_EQ(body(service_.get("/todos?limit=1&offset=1")),
            (json{{"object", "list"},
                  {"items", json::array({body(service_.get("/todos/2"))})},
                  {"total", 5},
                  {"more", true},
                  {"next", "2"}}));
}

TEST_F(Collections, nested_records_belong_to_their_parents) {
  post(R"({"title": "one"})");
  post(R"({"title": "two"})");

  EXPECT_EQ(service_.send("PUT", "/todos/1/notes/a", R"({"text": "first"})").status, 201);
  EXPECT_EQ(service_.send("PUT", "/todos/2/notes/a", R"({"text": "second"})").status, 201);
  EXPECT_EQ(service_.send("PUT", "/todos/2/notes/a", R"({"text": "third"})").status, 200);

  EXPECT_EQ(body(service_.get("/todos/1/notes")),
            json::parse(R"([{"name": "a", "text": "first"}])"));
  EXPECT_EQ(body(service_.get("/todos/2/notes/a")).at("text"), "third");
  EXPECT_EQ(service_.send("PUT", "/todos/3/notes/a", R"({"text": "x"})").status, 404);
  service_.ask({"DELETE", "/todos/1", {}, ""});
  EXPECT_EQ(service_.get("/todos/1/notes").status, 404);
}

TEST_F(Collections, nothing_is_deleted_with_its_parent) {
  post(R"({"id": 1, "title": "one"})");
  ASSERT_EQ(service_.send("PUT", "/todos/1/notes/a", R"({"text": "first"})").status, 201);
  ASSERT_EQ(service_.ask({"DELETE", "/todos/1", {}, ""}).response.status, 204);
  ASSERT_EQ(service_.get("/todos/1/notes/a").status, 404);

  post(R"({"id": 1, "title": "one again"})");

  EXPECT_EQ(body(service_.get("/todos/1/notes/a")).at("text"), "first");
}

TEST_F(Collections, a_separator_in_a_parents_key_does_not_mix_records) {
  TestService service({{"contract.yaml", kFileContract}}, 0);
  const auto put = [&](const std::string& target, const std::string& text) {
    return service.send("PUT", target, text).status;
  };

  EXPECT_EQ(put("/dirs/a%2Fb/files/c", R"({"size": 1})"), 201);
  EXPECT_EQ(put("/dirs/a/files/b%2Fc", R"({"size": 2})"), 201);
  EXPECT_EQ(put("/dirs/a~1b/files/c", R"({"size": 3})"), 201);

  EXPECT_EQ(body(service.get("/dirs/a%2Fb/files/c")), (json{{"name", "c"}, {"size", 1}}));
  EXPECT_EQ(body(service.get("/dirs/a/files/b%2Fc")), (json{{"name", "b/c"}, {"size", 2}}));
  EXPECT_EQ(body(service.get("/dirs/a~1b/files/c")), (json{{"name", "c"}, {"size", 3}}));
}

TEST_F(Collections, parents_may_have_parents) {
  TestService service({{"contract.yaml", kFileContract}}, 0);
  const auto put = [&](const std::string& target) {
    return service.send("PUT", target, "{}").status;
  };

  EXPECT_EQ(put("/dirs/a/files/b"), 201);
  EXPECT_EQ(put("/dirs/a/files/b/lines/1"), 201);
  EXPECT_EQ(put("/dirs/b/files/b/lines/1"), 404);
  EXPECT_EQ(service.get("/dirs/a/files/b/lines/1").status, 200);
}

TEST_F(Collections, a_filter_takes_the_text_of_a_boolean_or_a_number) {
  TestService service({{"contract.yaml", kOrderContract}}, 0);
  service.send("POST", "/orders", R"({"paid": true, "table": 7.00})");
  service.send("POST", "/orders", R"({"paid": false, "table": 12})");
  const auto found = [&](const std::string& query) {
    std::vector<int> ids;
    const json list = body(service.get("/orders?" + query));
    for (const json& one : list) {
      ids.push_back(one.at("id").get<int>());
    }
    return ids;
  };

  EXPECT_THAT(found("paid=true"), ElementsAre(1));
  EXPECT_THAT(found("paid=false"), ElementsAre(2));
  EXPECT_THAT(found("table=12"), ElementsAre(2));
  EXPECT_THAT(found("table=7.00"), ElementsAre(1));
  EXPECT_THAT(found("table=1"), ElementsAre());
}

TEST_F(Collections, a_new_record_is_not_deleted_yet) {
  TestService service({{"contract.yaml", kOrderContract}}, 0);

  const json made = body(service.send("POST", "/orders", R"({"paid": true, "table": 7})"));

  EXPECT_EQ(made, (json{{"id", 1},
                        {"paid", true},
                        {"table", 7},
                        {"deletedAt", nullptr},
                        {"waiter", nullptr},
                        {"discount", 5},
                        {"state", "open"}}));
}

TEST_F(Collections, wrong_bindings_are_named_with_their_places) {
  const std::string operations = R"yaml(
collections: {todos: {id: /id}, notes: {scoped: true}}
operations:
  get_todo: {behaviour: create, collection: todos}
  list_todos: {behaviour: list, collection: todos, into: /things, totals: {count: /sum}}
  get_note: {behaviour: read, collection: notes, key: /path/name}
  list_notes: {behaviour: list, collection: notes, key: /path/id, into: "", within: [{at: /todo, given: /path/id, in: todo}]}
)yaml";
  std::string said;

  try {
    const TestService wrong(
        {{"contract.yaml", kTodoContract}, {"fixtures/operations.yaml", operations}});
  } catch (const spec::LoadError& error) {
    for (const auto& problem : error.problems()) {
      said += std::to_string(problem.line) + ": " + problem.message + '\n';
    }
  }

  EXPECT_EQ(
      said,
      "6: must have \"within\": keys of notes are unique below their parents alone (\"scoped\")\n"
      "4: GET /todos/{id} has no request body to make a record of\n"
      "7: a list without \"elements\" is of all records: no \"key\"\n"
      "7: must be a declared collection, but is \"todo\"; did you mean \"todos\"? Known: notes, "
      "todos\n"
      "5: the response of GET /todos has no member /things\n"
      "5: the response of GET /todos has no member /sum\n");
}

}  // namespace
}  // namespace mock_server::service
