// What is rejected changes no record.

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
