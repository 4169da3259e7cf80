// Symptoms in a single response of a problem of the whole run.

#include "contract_tests/run/watcher.hpp"
#include "spec/contract/loading/load_contract.hpp"

#include <gmock/gmock.h>

namespace contract_tests::run {
namespace {

using client::Ending;
using client::Exchange;

constexpr std::string_view kSignsContract = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
security: [{token: []}]
paths:
  /items: {get: {operationId: items, responses: {"200": {description: ok, content: {application/json: {}}}, default: {description: error}}}}
  /page: {get: {operationId: page, security: [], responses: {"200": {description: ok, content: {text/*: {}}}}}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
)";

Exchange response_of(int status, const std::string& header = {}, const std::string& value = {}) {
  Exchange made;
  made.url = "http://shop.example/v1/items";
  made.sent.method = "GET";
  made.record.head.status = status;
  made.response.status = status;
  made.ending = Ending::kKeptOpen;
  if (!header.empty()) {
    made.response.headers.add(header, value);
  }
  return made;
}

class Symptoms : public testing::Test {
 protected:
  std::optional<ObservedSymptom> of(const Exchange& made,
                                    std::string_view operation = "items") const {
    return symptom_in(*contract_.operation(operation), made);
  }

  spec::contract::Contract contract_ = spec::contract::load_contract_text(kSignsContract);
};

TEST_F(Symptoms, are_of_the_token_only_where_one_is_needed) {
  EXPECT_EQ(of(response_of(401)), (ObservedSymptom{Symptom::kRejectedToken, "401 Unauthorized"}));
  EXPECT_EQ(of(response_of(401), "page"), std::nullopt);
}

TEST_F(Symptoms, are_of_a_service_that_is_away) {
  EXPECT_EQ(of(response_of(503)),
            (ObservedSymptom{Symptom::kUnavailable, "503 Service Unavailable"}));
  EXPECT_EQ(of(response_of(429)), std::nullopt);
  auto nothing = response_of(0);
  nothing.ending = Ending::kNoConnection;
  nothing.failure = "no route";
  EXPECT_EQ(of(nothing), (ObservedSymptom{Symptom::kNoResponse, "no route"}));
}

TEST_F(Symptoms, are_redirects_that_lead_away) {
  const auto to = [this](const std::string& location) {
    return of(response_of(302, "Location", location));
  };

  EXPECT_EQ(to("https://login.example/a?b"),
            (ObservedSymptom{Symptom::kRedirected, "https://login.example"}));
  EXPECT_EQ(to("/login"), (ObservedSymptom{Symptom::kRedirected, "http://shop.example/login"}));
  EXPECT_EQ(to("/v1/items/"), std::nullopt);
  EXPECT_EQ(to("/en/v1/items"), std::nullopt);
}

TEST_F(Symptoms, are_pages_that_the_contract_does_not_have) {
  const auto page = response_of(200, "Content-Type", "text/html; charset=utf-8");

  EXPECT_EQ(of(page), (ObservedSymptom{Symptom::kPage, "200 OK"}));
  EXPECT_EQ(of(page, "page"), std::nullopt);
  EXPECT_EQ(of(response_of(400, "Content-Type", "text/html")), std::nullopt);
  EXPECT_EQ(of(response_of(200, "Content-Type", "application/json")), std::nullopt);
}

}  // namespace
}  // namespace contract_tests::run
