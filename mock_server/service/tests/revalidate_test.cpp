#include "mock_server/service/revalidate.hpp"

#include "mock_server/service/tests/test_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mock_server::service {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string contract_with(const std::string& type) {
  return R"(
openapi: 3.1.0
info: {title: Lamps, version: "1"}
paths:
  /lamps/{key}:
    get:
      operationId: read_lamp
      parameters: [{name: key, in: path, required: true, schema: {type: string}}]
      responses:
        "200":
          description: d
          content: {application/json: {schema: {type: object, properties: {on: {type: )" +
         type + R"(}}}}}
)";
}

// With "/lamp", which there is once, or with another path in its place.
std::string contract_of_one_lamp(const std::string& path) {
  const std::string lamp =
      "{content: {application/json: {schema: {type: object, required: [on], properties: {on: "
      "{type: "
      "boolean}}}}}";
  return "openapi: 3.1.0\ninfo: {title: Lamps, version: '1'}\npaths:\n  " + path +
         ":\n    get: {operationId: read, responses: {'200': " + lamp +
         ", description: d}}}\n    put: {operationId: put, requestBody: " + lamp +
         "}, responses: {'200': " + lamp + ", description: d}}}\n";
}

const TestService::Files kFlagShop{
    {"contract.yaml", contract_with("[boolean, string]")},
    {"fixtures/operations.yaml",
     "collections: {lamps: {}}\n"
     "operations: {read_lamp: {behaviour: read, collection: lamps, key: "
     "/path/key}}\n"},
    {"fixtures/lamps.yaml", "desk: {on: true}\n"}};

TEST(Revalidation, a_reload_keeps_valid_changes_and_reports_those_that_it_dropped) {
  TestService test_service(kFlagShop);
  test_service.send("PUT", "/_s/a/_mock/records/lamps/fits", R"({"on": false})");
  test_service.send("PUT", "/_s/a/_mock/records/lamps/misfit", R"({"on": "perhaps"})");
  test_service.send("DELETE", "/_s/a/_mock/records/lamps/desk", "");

  const auto dropped = test_service.reload({{"contract.yaml", contract_with("boolean")}});

  EXPECT_THAT(dropped, ElementsAre(AllOf(HasSubstr("session a: record/lamps/misfit"),
                                         HasSubstr("/on must be"))));
  EXPECT_EQ(test_service.get("/_s/a/lamps/fits").status, 200);
  EXPECT_EQ(test_service.get("/_s/a/lamps/misfit").status, 404);
  EXPECT_EQ(test_service.get("/_s/a/lamps/desk").status, 404);
}

TEST(Revalidation, what_belongs_to_a_collection_that_is_gone_is_there_when_it_is_back) {
  TestService test_service{{{"contract.yaml", contract_of_one_lamp("/lamp")}}, std::size_t{0}};
  test_service.send("PUT", "/lamp", R"({"on": true})");

  test_service.reload({{"contract.yaml", contract_of_one_lamp("/other")}});
  const int without = test_service.get("/lamp").status;
  const auto dropped = test_service.reload({{"contract.yaml", contract_of_one_lamp("/lamp")}});

  EXPECT_EQ(without, 404);
  EXPECT_THAT(dropped, IsEmpty());
  EXPECT_EQ(test_service.get("/lamp").body, R"({"on":true})");
}

TEST(Revalidation, a_reload_drops_a_sessions_invalid_scenario) {
  TestService test_service(kFlagShop);
  test_service.send("PUT", "/_mock/scenarios/mine",
                    R"({"description": "d", "rules": [{"operations": ["read_lamp"],
                 "response": {"body": {"on": "perhaps"}}}]})");
  EXPECT_THAT(test_service.get("/lamps/desk").body, HasSubstr("perhaps"));

  const auto dropped = test_service.reload({{"contract.yaml", contract_with("boolean")}});

  EXPECT_THAT(dropped, ElementsAre(HasSubstr("scenario/mine")));
  EXPECT_EQ(test_service.get("/lamps/desk").body, R"({"on":true})");
}

}  // namespace
}  // namespace mock_server::service
