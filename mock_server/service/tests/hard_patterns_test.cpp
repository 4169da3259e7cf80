// Patterns that take long on some texts: a loop gives the request up, and a worker carries it out.

#include "mock_server/service/tests/test_service.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mock_server::service {
namespace {

using spec::http::Request;

const std::string kPatternContract = R"(
openapi: 3.1.0
info: {title: Patterns, version: "1"}
paths:
  /texts/{key}:
    parameters:
      - {name: key, in: path, required: true, schema: {$ref: "#/components/schemas/Hard"}}
      - {name: one, in: query, schema: {$ref: "#/components/schemas/Hard"}}
      - {name: many, in: query, schema: {type: array, items: {$ref: "#/components/schemas/Hard"}}}
      - {name: X-Hard, in: header, schema: {$ref: "#/components/schemas/Hard"}}
      - {name: hard, in: cookie, schema: {$ref: "#/components/schemas/Hard"}}
    get: {operationId: read, responses: {"200": {description: d}, "400": {description: d}}}
    post:
      operationId: write
      requestBody:
        content:
          application/json:
            schema:
              properties: {text: {$ref: "#/components/schemas/Hard"}}
              patternProperties: {"^(a|aa)+$": {type: integer}}
      responses: {"200": {description: d}, "400": {description: d}}
components: {schemas: {Hard: {type: string, pattern: "^(a|aa)+$"}}}
)";

std::string hard_text(std::size_t length = 60) {
  return std::string(length, 'a') + '!';
}

struct HardRequest {
  std::string name;
  Request request;
};

Request with_body(const std::string& body) {
  return {"POST", "/texts/a", {{"Content-Type", "application/json"}}, body};
}

using HardPattern = spec::tests::RowTest;

TEST_P(HardPattern, is_left_to_a_worker) {
  const HardRequest& row = GetParam();
  TestService mock({{"contract.yaml", kPatternContract}});

  EXPECT_TRUE(mock.ask(row.request).needs_worker);
  const reply::Reply reply = mock.ask(row.request, true, true);

  EXPECT_FALSE(reply.needs_worker);
  EXPECT_LT(reply.response.status, 500);
  EXPECT_GT(reply.response.status, 0);
}

const std::vector<HardRequest> kMockHardPattern = {
    {"path", {"GET", "/texts/" + hard_text(), {}, ""}},
    {"query", {"GET", "/texts/a?one=" + hard_text(), {}, ""}},
    {"header", {"GET", "/texts/a", {{"X-Hard", hard_text()}}, ""}},
    {"cookie", {"GET", "/texts/a", {{"Cookie", "hard=" + hard_text()}}, ""}},
    {"body", with_body(R"({"text": ")" + hard_text() + R"("})")},
    {"name_of_member", with_body(R"({")" + hard_text() + R"(": 1})")},
    {"several_together",
     {"GET",
      "/texts/a?many=" + hard_text(30) + "&many=" + hard_text(30) + "&many=" + hard_text(30) +
          "&many=" + hard_text(30) + "&many=" + hard_text(30) + "&many=" + hard_text(30),
      {},
      ""}}};

INSTANTIATE_TEST_SUITE_P(Mock, HardPattern, testing::ValuesIn(spec::tests::rows(kMockHardPattern)),
                         spec::tests::kRowNames);

TEST(HardPatternOfWatch, begins_no_request_again) {
  const auto hard = spec::schema::patterns::Pattern::compile("^(a|aa)+$");
  ServiceOptions options;
  options.watch = [&hard](const reply::ObservedExchange& /*exchange*/) {
    static_cast<void>(hard->search(hard_text()));
  };
  TestService mock({{"contract.yaml", kPatternContract}}, options);

  const reply::Reply reply = mock.ask({"GET", "/texts/a", {}, ""});

  EXPECT_FALSE(reply.needs_worker);
  EXPECT_EQ(reply.response.status, 200);
}

TEST(EasyPattern, needs_no_worker) {
  TestService mock({{"contract.yaml", kPatternContract}});
  std::string query = "?many=a";
  for (int at = 0; at < 400; ++at) {
    query += "&many=aaaaaaaaaa";
  }

  EXPECT_FALSE(mock.ask({"GET", "/texts/aaa" + query, {}, ""}).needs_worker);
}

}  // namespace
}  // namespace mock_server::service
