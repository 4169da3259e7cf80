// Declared error bodies are filled from the violations.

#include "mock_server/service/checks/error_body.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace mock_server::service::checks {
namespace {

using nlohmann::json;

ErrorFacts two_violations(bool is_generated) {
  return {.status = 422,
          .code = "INVALID_REQUEST_BODY",
          .words = "body/name: must have at least 1 character; body: must have \"email\"",
          .is_generated = is_generated,
          .details = {{"body", "/name", "minLength", "must have at least 1 character"},
                      {"body", "/address/city", "required", "must be there"}}};
}

bool accepts_all(const json& /*body*/) {
  return true;
}

TEST(ErrorBody, has_an_element_for_each_violation) {
  json body = {{"type", "harbour"},
               {"title", "x"},
               {"detail", "x"},
               {"status", 200},
               {"instance", "/harbour"},
               {"errors", {{{"field", "northern orchard"}, {"message", "x"}, {"hint", "x"}}}}};

  EXPECT_TRUE(fill_error_body(body, two_violations(true), &accepts_all));

  EXPECT_EQ(body["errors"],
            json({{{"field", "name"}, {"message", "must have at least 1 character"}},
                  {{"field", "address.city"}, {"message", "must be there"}}}));
  EXPECT_EQ(body["status"], 422);
  EXPECT_FALSE(body.contains("instance"));
}

TEST(ErrorBody, of_json_api_points_into_the_request) {
  json body = {{"errors",
                {{{"status", "500"},
                  {"code", "x"},
                  {"title", "x"},
                  {"detail", "x"},
                  {"source", {{"pointer", "x"}, {"parameter", "x"}}}}}}};

  EXPECT_TRUE(fill_error_body(body, two_violations(true), &accepts_all));

  EXPECT_EQ(body["errors"].size(), 2);
  EXPECT_EQ(body["errors"][1], json({{"status", "422"},
                                     {"code", "required"},
                                     {"title", "Unprocessable Content"},
                                     {"detail", "must be there"},
                                     {"source", {{"pointer", "/address/city"}}}}));
}

TEST(ErrorBody, keeps_what_its_schema_requires) {
  json body = {{"message", "x"}, {"trace", "x"}};
  const auto requires_trace = [](const json& changed) { return changed.contains("trace"); };

  EXPECT_TRUE(fill_error_body(body, two_violations(true), requires_trace));

  EXPECT_EQ(body["trace"], "x");
}

TEST(ErrorBody, keeps_the_other_members_of_an_example) {
  json body = {{"message", "x"},
               {"docs", "https://docs.example"},
               {"errors", {{{"path", "x"}, {"msg", "x"}, {"id", 7}}}}};

  EXPECT_TRUE(fill_error_body(body, two_violations(false), &accepts_all));

  EXPECT_EQ(body["docs"], "https://docs.example");
  EXPECT_EQ(body["errors"][0],
            json({{"path", "/name"}, {"msg", "must have at least 1 character"}, {"id", 7}}));
}

}  // namespace
}  // namespace mock_server::service::checks
