// Pages of lists at their bounds.

#include "mock_server/service/tests/test_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace mock_server::service {
namespace {

using ::testing::HasSubstr;

constexpr const char* kPagesContract = R"yaml(
openapi: 3.1.0
info: {title: Pages, version: "1"}
paths:
  /lamps:
    get:
      operationId: list_lamps
      parameters:
        - {name: page, in: query, schema: {type: integer}}
        - {name: page_size, in: query, schema: {type: integer}}
      responses:
        "200":
          description: d
          headers: {Link: {schema: {type: string}}, X-Total-Pages: {schema: {type: integer}}}
          content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Lamp"}}}}
    post:
      operationId: create_lamp
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Lamp"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Lamp"}}}}}
  /lamps/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_lamp, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Lamp"}}}}}}
components: {schemas: {Lamp: {type: object, required: [id], properties: {id: {type: integer}}}}}
)yaml";

TEST(Pages, are_right_beyond_the_last_one_and_for_the_largest_numbers) {
  TestService service({{"contract.yaml", kPagesContract}}, 7);
  const auto list = [&](const std::string& query) { return service.get("/lamps?" + query); };
  const auto count = [&](const std::string& query) {
    return nlohmann::json::parse(list(query).body).size();
  };
  const auto header = [&](const std::string& query, std::string_view name) {
    return std::string(list(query).headers.find(name).value_or(""));
  };

  EXPECT_THAT(header("page_size=2&page=5", "Link"), HasSubstr("page=4>; rel=\"prev\""));
  EXPECT_THAT(header("page_size=2&page=9", "Link"), HasSubstr("page=4>; rel=\"prev\""));
  EXPECT_THAT(header("page_size=2&page=4", "Link"), HasSubstr("page=3>; rel=\"prev\""));
  EXPECT_EQ(header("page_size=9223372036854775807", "X-Total-Pages"), "1");
  EXPECT_EQ(header("page_size=2", "X-Total-Pages"), "4");
  EXPECT_EQ(count("page_size=2&page=-9223372036854775808"), 2U);
  EXPECT_EQ(count("page_size=2&page=-99999999999999999999999"), 2U);
  EXPECT_EQ(count("page_size=2&page=9223372036854775807"), 0U);
  EXPECT_EQ(count("page_size=2&page=99999999999999999999999"), 0U);
}

}  // namespace
}  // namespace mock_server::service
