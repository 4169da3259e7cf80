#include "mock_server/service/mock_service.hpp"

#include "mock_server/service/tests/test_service.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <thread>

namespace mock_server::service {
namespace {

using spec::http::Response;
using testing::HasSubstr;

// A shop of lamps: one operation of each kind, none of them the payments service's.
const std::string kContract = R"(
openapi: 3.1.0
info: {title: Lamps, version: "1"}
paths:
  /lamps/{key}:
    parameters: [{name: key, in: path, required: true, schema: {type: string}}]
    get:
      operationId: read_lamp
      responses:
        "200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Lamp"}}}}
        "404": {description: d, content: {application/json: {schema: {type: object}}}}
    patch:
      operationId: change_lamp
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties: {on: {type: boolean}, label: {type: [string, "null"]}, room: {type: object}, lot: {type: [integer, "null"]}}
      responses:
        "200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Lamp"}}}}
        "422": {description: d, content: {application/json: {schema: {type: object}}}}
        "500": {description: d, content: {application/json: {schema: {type: object}}}}
  /lamps/{key}/warranty:
    get:
      operationId: check_warranty
      parameters: [{name: key, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: d, content: {application/json: {schema: {type: object}}}}}
components:
  schemas:
    Lamp:
      type: object
      required: [id, on]
      properties: {id: {type: string}, on: {type: boolean}, label: {type: [string, "null"]}, room: {type: object}, lot: {type: integer, maximum: 10}}
)";

const std::string kOperations = R"(
collections: {lamps: {schema: /components/schemas/Lamp}}
operations:
  read_lamp: {behaviour: read, collection: lamps, key: /path/key, hide: [until]}
  change_lamp:
    behaviour: update
    collection: lamps
    key: /path/key
    hide: [until]
    fields: {on: {}, label: {}, room: {}, lot: {on_null: remove}}
  check_warranty:
    behaviour: match
    collection: lamps
    key: /path/key
    rules:
      - {name: holds, when: [{at: /record/until, after_now: true}], response: {body: {holds: true}}}
      - {name: over, response: {body: {holds: false}}}
)";

const std::string kLamps = R"(
desk: {id: desk, on: false, label: Desk, room: {name: study, floor: 1}, until: "2026-01-02T00:00:00Z"}
hall: {id: hall, on: true}
)";

const TestService::Files kShop{{"contract.yaml", kContract},
                               {"fixtures/operations.yaml", kOperations},
                               {"fixtures/lamps.yaml", kLamps}};

nlohmann::json body(const Response& response) {
  auto value = spec::json::read(response.body);
  return value ? *value : nlohmann::json("no JSON: " + response.body);
}

nlohmann::json parsed(const char* text) {
  return nlohmann::json::parse(text);
}

TEST(MockService, a_response_lacks_the_hidden_members_of_a_record) {
  TestService test_service(kShop);

  const Response response = test_service.get("/lamps/desk");

  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(body(response), parsed(R"({"id": "desk", "on": false, "label": "Desk",
                                     "room": {"name": "study", "floor": 1}})"));
}

TEST(MockService, merges_objects_as_rfc_7396_does) {
  TestService test_service(kShop);
  test_service.send("PATCH", "/lamps/desk", R"({"room": {"floor": null, "wall": "north"}})");

  EXPECT_EQ(body(test_service.get("/lamps/desk"))["room"],
            parsed(R"({"name": "study", "wall": "north"})"));
}

TEST(MockService, a_collection_is_removed_completely_or_not_at_all) {
  std::string lamps;
  for (int number = 0; number < 300; ++number) {
    const std::string key = "lamp_" + std::to_string(number);
    lamps += key + ": {id: " + key + ", on: true}\n";
  }
  TestService test_service({{"contract.yaml", kContract},
                            {"fixtures/operations.yaml", kOperations},
                            {"fixtures/lamps.yaml", lamps}},
                           {}, {.bytes = 8'000});
  ASSERT_EQ(test_service.send("PATCH", "/lamps/lamp_7", R"({"on": false})").status, 200);

  EXPECT_EQ(test_service.send("DELETE", "/_mock/records/lamps", "").status, 507);

  EXPECT_EQ(body(test_service.get("/_mock/records/lamps"))["records"].size(), 300U);
  EXPECT_EQ(body(test_service.get("/lamps/lamp_7"))["on"], false);
  EXPECT_EQ(test_service.send("DELETE", "/_mock/records/lamps/lamp_7", "").status, 200);
}

TEST(MockService, an_update_is_visible_in_other_operations) {
  TestService test_service(kShop);
  test_service.send("PATCH", "/lamps/desk", R"({"on": true, "label": null})");

  const auto lamp = body(test_service.get("/lamps/desk"));

  EXPECT_EQ(lamp["on"], true);
  EXPECT_EQ(lamp["label"], nullptr);
}

TEST(MockService, a_change_that_would_violate_the_contract_is_not_stored) {
  TestService test_service(kShop);

  const Response response = test_service.send("PATCH", "/lamps/desk", R"({"lot": 11})");

  EXPECT_EQ(response.status, 500);
  EXPECT_TRUE(response.headers.has("X-Counterpart-Invalid"));
  EXPECT_FALSE(body(test_service.get("/lamps/desk")).contains("lot"));
}

TEST(MockService, two_simultaneous_changes_of_different_fields_are_both_stored) {
  TestService test_service(kShop);
  for (int round = 0; round < 50; ++round) {
    {
      const std::jthread left(
          [&] { test_service.send("PATCH", "/lamps/desk", R"({"on": true})"); });
      const std::jthread right(
          [&] { test_service.send("PATCH", "/lamps/desk", R"({"label": "both"})"); });
    }
    const auto lamp = body(test_service.get("/lamps/desk"));
    ASSERT_EQ(lamp["on"], true);
    ASSERT_EQ(lamp["label"], "both");
    test_service.send("POST", "/_mock/reset", "");
  }
}

TEST(MockService, rules_follow_the_sessions_clock) {
  TestService test_service(kShop);

  EXPECT_EQ(body(test_service.get("/lamps/desk/warranty"))["holds"], true);
  test_service.now += std::chrono::hours(48);
  EXPECT_EQ(body(test_service.get("/lamps/desk/warranty"))["holds"], false);
  EXPECT_EQ(body(test_service.get("/lamps/hall/warranty"))["holds"], false);
}

TEST(MockService, only_callers_on_this_machine_may_use_the_control_api) {
  TestService test_service(kShop);

  EXPECT_EQ(test_service.ask({"GET", "/_mock/requests", {}, ""}, true).response.status, 200);
  EXPECT_EQ(test_service.ask({"GET", "/_mock/requests", {}, ""}, false).response.status, 403);
  EXPECT_EQ(test_service.ask({"GET", "/_mock/health", {}, ""}, false).response.status, 200);
}

TEST(MockService, delay_and_fault_reach_the_transport_with_any_response) {
  TestService test_service(kShop);

  const reply::Reply reply =
      test_service.ask({"GET", "/lamps/none", {{"Prefer", "delay=250, fault=slow-body"}}, ""});

  EXPECT_EQ(reply.response.status, 404);
  EXPECT_EQ(reply.delivery.delay, std::chrono::milliseconds(250));
  EXPECT_EQ(reply.delivery.fault, reply::Fault::kSlowBody);
}

TEST(MockService, a_fixed_window_ends_by_the_sessions_clock) {
  ServiceOptions options;
  options.control.rate_limit = state::RateLimit{1, std::chrono::seconds(60)};
  TestService test_service(kShop, std::move(options));

  EXPECT_EQ(test_service.get("/lamps/desk").status, 200);
  EXPECT_EQ(test_service.get("/lamps/desk").headers.find("Retry-After"), "60");
  test_service.now += std::chrono::seconds(60);
  EXPECT_EQ(test_service.get("/lamps/desk").status, 200);
}

TEST(MockService, a_rejected_request_does_not_count_against_the_limit) {
  ServiceOptions options;
  options.control.rate_limit = state::RateLimit{1, std::chrono::seconds(60)};
  TestService test_service(kShop, std::move(options));
  test_service.send("PATCH", "/lamps/desk", "not json");
  test_service.ask({"PATCH", "/lamps/desk", {{"Prefer", "code=500"}}, ""});

  EXPECT_EQ(test_service.send("PATCH", "/lamps/desk", "{}").status, 200);
  EXPECT_EQ(test_service.send("PATCH", "/lamps/desk", "{}").status, 429);
}

TEST(MockService, names_the_rule_that_chose_the_response) {
  TestService test_service(kShop);
  test_service.get("/lamps/desk/warranty");

  EXPECT_THAT(body(test_service.get("/_mock/requests"))["requests"][0]["chosen_by"],
              HasSubstr("rule holds of check_warranty"));
}

TEST(MockService, a_null_that_the_response_does_not_allow_is_a_load_error) {
  TestService::Files files = kShop;
  files[1].second.replace(files[1].second.find("lot: {on_null: remove}"), 22,
                          "lot: {}               ");

  try {
    const TestService test_service(files);
    FAIL() << "must not load";
  } catch (const spec::LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("must have on_null: keep or remove"));
  }
}

TEST(MockService, records_are_validated_by_the_schema_of_their_collection_at_load) {
  TestService::Files files = kShop;
  files[2].second += "attic: {id: attic, on: maybe}\n";

  try {
    const TestService test_service(files);
    FAIL() << "must not load";
  } catch (const spec::LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("lamps.yaml:4:24: must be"));
    EXPECT_THAT(error.what(), HasSubstr("of collection lamps"));
  }
}

}  // namespace
}  // namespace mock_server::service
