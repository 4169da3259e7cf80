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

constexpr const char* kNewContract = R"yaml(
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Note"}}}}}}}
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}, labels: {type: array, items: {type: string}}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}}
  /orders:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Order"}}}}}}}
  /things:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {data: {type: object, properties: {type: {type: string}, attributes: {type: object, properties: {title: {type: string}}}}}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: {type: object, required: [data], properties: {data: {$ref: "#/components/schemas/Thing"}}}}}}}}
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: object, required: [data], properties: {data: {$ref: "#/components/schemas/Thing"}}}}}}}}
components:
  schemas:
    Thing:
      type: object
      required: [id, type, attributes]
      properties:
        id: {type: string}
        type: {type: string}
        attributes: {type: object, properties: {title: {type: string}, created-at: {type: string, format: date-time}}}
    Order:
      type: object
      required: [id, status]
      properties:
        id: {type: integer}
        status: {type: string, enum: [pending]}
        paid_at: {type: string, format: date-time}
        cancelled_at: {type: [string, "null"], format: date-time}
        shipped_on: {type: string, format: date}
    Note:
      type: object
      required: [id, pinned, escalated, active, is_public, shown, orders_count, failureCount, level, labels, members, pair, joined_at, opened_on, registered, sentAt, expires_at, amount_paid]
      properties:
        id: {type: integer}
        text: {type: string}
        pinned: {type: boolean}
        escalated: {type: boolean}
        active: {type: boolean}
        is_public: {type: boolean}
        shown: {type: boolean, example: true}
        orders_count: {type: integer}
        failureCount: {type: integer, minimum: 0}
        level: {type: integer, minimum: 4, maximum: 4}
        labels: {type: array, items: {type: string}}
        members: {type: array, items: {type: object, properties: {id: {type: integer}}}}
        pair: {type: array, items: {type: integer}, minItems: 2}
        joined_at: {type: string, format: date-time}
        opened_on: {type: string, format: date}
        registered: {type: integer, description: Unix timestamp}
        sentAt: {type: string, format: date-time}
        expires_at: {type: string, format: date-time}
        amount_paid: {type: number}
        last_login_at: {type: string, format: date-time}
        completed_at: {type: [string, "null"], format: date-time}
        deleted_at: {type: string, format: date-time}
)yaml";

class NewRecord : public testing::Test {
 protected:
  TestService service_{{{"contract.yaml", kNewContract}}, 3};
};

TEST_F(NewRecord, has_nothing_that_happened_to_it) {
  const json made = json::parse(service_.send("POST", "/notes", R"({"text": "x"})").body);
  const json expected = json::parse(R"({"pinned": false, "escalated": false, "active": true,
      "is_public": true, "shown": true, "orders_count": 0, "failureCount": 0, "level": 4,
      "amount_paid": 0, "labels": [], "members": [], "completed_at": null})");

  for (const auto& [name, value] : expected.items()) {
    EXPECT_EQ(made.at(name), value) << name;
  }
  EXPECT_GE(made.at("pair").size(), 2U);
  EXPECT_FALSE(made.contains("last_login_at"));
  EXPECT_FALSE(made.contains("deleted_at"));
}

TEST_F(NewRecord, has_its_times_by_the_clock) {
  const json made = json::parse(service_.send("POST", "/notes", R"({"text": "x"})").body);
  const std::string now = state::to_text(service_.now);

  EXPECT_EQ(made.at("joined_at"), now);
  EXPECT_EQ(made.at("sentAt"), now);
  EXPECT_EQ(made.at("opened_on"), now.substr(0, 10));
  EXPECT_EQ(made.at("registered"), state::to_instant(service_.now).seconds);
  EXPECT_GT(made.at("expires_at"), json(now));
}

TEST_F(NewRecord, of_attributes_has_the_time_among_them) {
  const std::string sent = R"({"data": {"type": "things", "attributes": {"title": "x"}}})";
  const json made = json::parse(service_.send("POST", "/things", sent).body);

  EXPECT_EQ(made.at("/data/attributes/created-at"_json_pointer), state::to_text(service_.now));
}

TEST_F(NewRecord, of_seeds_has_no_times_that_its_state_has_not) {
  for (const json& order : json::parse(service_.get("/orders").body)) {
    EXPECT_FALSE(order.contains("paid_at"));
    EXPECT_FALSE(order.contains("shipped_on"));
    EXPECT_EQ(order.value("cancelled_at", json()), nullptr);
  }
}

}  // namespace
}  // namespace mock_server::service
