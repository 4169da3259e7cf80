// Members that a request leaves out have the contract's default, wherever it says it.

#include "mock_server/service/tests/test_service.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace mock_server::service {
namespace {

using nlohmann::json;

constexpr const char* kDefaultsContract = R"yaml(
openapi: 3.1.0
info: {title: Jobs and pets, version: "1"}
paths:
  /jobs:
    get:
      operationId: list_jobs
      parameters: [{name: pageable, in: query, schema: {type: object, properties: {page: {type: integer, default: 0}, size: {type: integer, default: 2}}}}]
      responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Job"}}}}}}
    post:
      operationId: create_job
      requestBody: {content: {application/json: {schema: {oneOf: [{$ref: "#/components/schemas/Quick"}, {$ref: "#/components/schemas/Slow"}]}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}}
  /jobs/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_job, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}}}
  /pets:
    post:
      operationId: create_pet
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_pet, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}}
components:
  schemas:
    Job: {type: object, required: [id], properties: {id: {type: integer}, kind: {type: string}, retries: {type: integer}, mode: {type: string}, delay: {type: integer}}}
    Quick: {type: object, required: [kind], properties: {kind: {const: quick}, retries: {type: integer, default: 3}, mode: {type: string, default: fast}}}
    Slow: {type: object, required: [kind], properties: {kind: {const: slow}, mode: {type: string, default: calm}, delay: {type: integer, default: 9}}}
    Pet: {anyOf: [{$ref: "#/components/schemas/Dog"}, {$ref: "#/components/schemas/Cat"}]}
    Dog: {type: object, required: [kind], properties: {id: {type: integer}, kind: {const: dog}, food: {type: string, default: meat}}}
    Cat: {type: object, required: [kind], properties: {id: {type: integer}, kind: {const: cat}, food: {type: string, default: fish}, lives: {type: integer, default: 9}}}
)yaml";

class Defaults : public testing::Test {
 protected:
  json post(const std::string& path, const std::string& kind) {
    return json::parse(service_.send("POST", path, json{{"kind", kind}}.dump()).body);
  }

  TestService service_{{{"contract.yaml", kDefaultsContract}}, 0};
};

TEST_F(Defaults, are_those_of_the_alternative_that_was_sent) {
  EXPECT_EQ(post("/jobs", "quick"),
            json::parse(R"({"id": 1, "kind": "quick", "mode": "fast", "retries": 3})"));
  EXPECT_EQ(post("/jobs", "slow"),
            json::parse(R"({"id": 2, "kind": "slow", "mode": "calm", "delay": 9})"));
}

TEST_F(Defaults, of_a_record_of_several_shapes_are_those_of_its_own) {
  EXPECT_EQ(post("/pets", "dog"), json::parse(R"({"id": 1, "kind": "dog", "food": "meat"})"));
  EXPECT_EQ(post("/pets", "cat"),
            json::parse(R"({"id": 2, "kind": "cat", "food": "fish", "lives": 9})"));
}

TEST_F(Defaults, of_the_members_of_a_parameter_make_the_page) {
  for (int i = 0; i < 3; ++i) {
    post("/jobs", "quick");
  }

  EXPECT_EQ(json::parse(service_.get("/jobs").body).size(), 2U);
  EXPECT_EQ(json::parse(service_.get("/jobs?size=3").body).size(), 3U);
}

}  // namespace
}  // namespace mock_server::service
