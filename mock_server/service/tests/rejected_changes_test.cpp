// A rejected request changes no record.

#include "mock_server/service/tests/test_service.hpp"
#include "spec/text/encoding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace mock_server::service {
namespace {

using ::testing::HasSubstr;

constexpr const char* kJobsContract = R"yaml(
openapi: 3.1.0
info: {title: Jobs, version: "1"}
paths:
  /jobs:
    get:
      operationId: list_jobs
      responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Job"}}}}}}
    post:
      operationId: create_job
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Accepted"}}}}}
  /jobs/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_job, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}}}
    patch:
      operationId: change_job
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Accepted"}}}}}
    delete: {operationId: delete_job, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Accepted"}}}}}}
  /notes:
    post:
      operationId: create_note
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {$ref: "#/components/schemas/Note"}}}}
      responses: {"204": {description: d}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_note, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}}
components:
  schemas:
    Job: {type: object, properties: {id: {type: integer}, name: {type: string}}}
    Note: {type: object, properties: {id: {type: integer}, x: {type: object}}}
    Accepted: {type: object, required: [accepted], properties: {accepted: {type: boolean}}}
)yaml";

// Changes have responses without the record.
constexpr const char* kQuietContract = R"yaml(
openapi: 3.1.0
info: {title: Spans, version: "1"}
paths:
  /spans:
    get:
      operationId: list_spans
      responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {allOf: [{$ref: "#/components/schemas/Span"}], required: [kind], properties: {kind: {type: string}}}}}}}}
    post:
      operationId: create_span
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {type: object}}}}}
  /spans/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_span, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Span"}}}}}}
    patch:
      operationId: change_span
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Change"}}}}
      responses: {"204": {description: d}}
    put:
      operationId: put_span
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Change"}}}}
      responses: {"204": {description: d}}
components:
  schemas:
    Change: {type: object, properties: {name: {type: string}, from: {type: integer}, to: {type: integer}}}
    Span: {type: object, required: [id], properties: {id: {type: integer}, name: {type: string, maxLength: 5}, from: {type: integer}, to: {type: integer}},
           dependentRequired: {from: [to]}, not: {required: [from, to], properties: {from: {const: 1}, to: {const: 1}}}}
)yaml";

constexpr const char* kQuietOperations = R"yaml(
collections: {spans: {id: /id}}
operations:
  list_spans: {behaviour: list, collection: spans, into: ""}
  get_span: {behaviour: read, collection: spans, key: /path/id}
  create_span: {behaviour: create, collection: spans}
  change_span: {behaviour: update, collection: spans, key: /path/id, fields: {name: {}, from: {}, to: {}}}
  put_span: {behaviour: replace, collection: spans, key: /path/id, creates: true}
)yaml";

TestService::Files quiet_files() {
  return {{"contract.yaml", kQuietContract},
          {"fixtures/operations.yaml", kQuietOperations},
          {"fixtures/spans.yaml", R"("7": {id: 7, name: a, kind: b})"}};
}

TEST(Spans, that_violate_the_contract_are_not_stored_where_no_response_shows_them) {
  TestService service(quiet_files());
  const std::string before = service.get("/spans/7").body;

  const auto rejected = service.send("PATCH", "/spans/7", R"({"name": "too long"})");

  EXPECT_EQ(rejected.status, 500);
  EXPECT_THAT(rejected.body, HasSubstr("record/name: must be at most 5 characters long"));
  EXPECT_EQ(service.send("PATCH", "/spans/7", R"({"from": 2})").status, 500);
  EXPECT_EQ(service.send("PUT", "/spans/7", R"({"from": 1, "to": 1})").status, 500);
  EXPECT_EQ(service.send("PUT", "/spans/8", R"({"from": 1, "to": 1})").status, 500);
  EXPECT_EQ(service.get("/spans/7").body, before);
  EXPECT_EQ(service.get("/spans/8").status, 404);
}

TEST(Spans, are_stored_where_a_list_adds_what_they_lack) {
  TestService service(quiet_files());

  EXPECT_EQ(service.send("PATCH", "/spans/7", R"({"from": 2, "to": 3})").status, 204);
  EXPECT_EQ(service.send("PUT", "/spans/8", R"({"name": "c"})").status, 204);

  EXPECT_EQ(service.get("/spans/7").body, R"({"from":2,"id":7,"kind":"b","name":"a","to":3})");
  EXPECT_EQ(service.get("/spans/8").status, 200);
  EXPECT_EQ(service.get("/spans").status, 200);
}

TEST(Spans, that_violated_the_contract_before_can_be_changed) {
  TestService service(quiet_files());
  ASSERT_EQ(service.send("POST", "/spans", R"({"from": 1, "to": 1})").status, 201);

  EXPECT_EQ(service.send("PATCH", "/spans/1", R"({"name": "b"})").status, 204);
  EXPECT_EQ(service.send("PATCH", "/spans/1", R"({"name": "too long"})").status, 500);
}

TEST(Spans, that_the_contract_allows_in_no_response_are_not_stored_where_they_are_inferred) {
  TestService service({{"contract.yaml", kQuietContract}}, 0);
  ASSERT_EQ(service.send("POST", "/spans", R"({"name": "a"})").status, 201);

  const auto unchanged = service.send("PATCH", "/spans/1", R"({"from": 1, "to": 1})");

  EXPECT_EQ(unchanged.status, 501);
  EXPECT_THAT(unchanged.body, HasSubstr("it was not stored"));
  EXPECT_EQ(nlohmann::json::parse(service.get("/spans/1").body).value("name", ""), "a");
}

TEST(Jobs, are_changed_by_no_request_that_is_rejected) {
  TestService service({{"contract.yaml", kJobsContract}}, 0);
  const auto ask = [&](const std::string& method, const std::string& target,
                       const std::string& accept, const std::string& text) {
    return service
        .ask({method, target, {{"Accept", accept}, {"Content-Type", "application/json"}}, text})
        .response;
  };
  ASSERT_EQ(ask("POST", "/jobs", "*/*", R"({"name": "a"})").status, 201);
  const auto before = service.get("/jobs").body;

  const auto created = ask("POST", "/jobs", "text/html", R"({"name": "b"})");

  EXPECT_EQ(created.status, 406);
  EXPECT_FALSE(created.headers.find("Location"));
  EXPECT_EQ(ask("PATCH", "/jobs/1", "text/html", R"({"name": "c"})").status, 406);
  EXPECT_EQ(ask("DELETE", "/jobs/1", "text/html", "").status, 406);
  EXPECT_EQ(service.get("/jobs").body, before);
}

TEST(Jobs, have_no_record_that_could_not_be_read_again) {
  TestService service({{"contract.yaml", kJobsContract}}, 0);
  const auto post = [&](int levels) {
    std::string object = "{}";
    for (int level = 1; level < levels; ++level) {
      object = "{\"k\":" + object + '}';
    }
    return service
        .ask({"POST",
              "/notes",
              {{"Content-Type", "application/x-www-form-urlencoded"}},
              "x=" + spec::text::percent_encode(object)})
        .response;
  };

  EXPECT_EQ(post(127).status, 204);
  const auto rejected = post(128);

  EXPECT_EQ(rejected.status, 422);
  EXPECT_THAT(rejected.body, HasSubstr("no deeper than 128 levels"));
  EXPECT_EQ(service.get("/notes/1").status, 200);
}

}  // namespace
}  // namespace mock_server::service
