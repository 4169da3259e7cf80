// Declared error bodies are filled from the violations.

#include "mock_server/service/checks/error_body.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

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
  const auto requires_trace = [](const json& changed) {
    return changed.contains("trace") && changed["trace"].is_string();
  };

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

// A generated body that the schema allows all changes of, but for the members that it requires.
struct BodyCase {
  std::string name;
  int status = 404;  // without details; with two for 422
  std::string body;
  std::string expected;
  std::vector<std::string> required{};
  std::vector<std::string> listed{};  // by the enum of any text
};

void PrintTo(const BodyCase& one, std::ostream* out) {
  *out << one.name;
}

json filled_body(const BodyCase& one) {
  constexpr int kInvalid = 422;
  json body = json::parse(one.body);
  ErrorFacts facts = two_violations(true);
  if (one.status != kInvalid) {
    facts.details.clear();
  }
  facts.status = one.status;
  facts.code = "CODE";
  facts.words = "words";
  facts.path = "/orders/7";
  facts.now = "2026-01-31T12:00:00.000000Z";
  facts.listed = [&](const auto& at) {
    const bool is_root = at.empty();
    return is_root ? std::vector<std::string>{"message"} : one.listed;
  };
  const auto is_listed = [&](const json& member) {
    return one.listed.empty() || !member.is_string() || member == "words" ||
           std::ranges::find(one.listed, member.get<std::string>()) != one.listed.end();
  };
  fill_error_body(body, facts, [&](const json& changed) {
    return std::ranges::all_of(one.required,
                               [&](const auto& member) {
                                 return changed.contains(member) && !changed[member].is_null();
                               }) &&
           std::ranges::all_of(changed, is_listed);
  });
  return body;
}

class ErrorBodyOf : public ::testing::TestWithParam<BodyCase> {};

TEST_P(ErrorBodyOf, says_what_is_known) {
  EXPECT_EQ(filled_body(GetParam()), json::parse(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Generated, ErrorBodyOf,
    ::testing::Values(
        BodyCase{"fields_with_lists", 422,
                 R"({"message": "x", "errors": {"harbour": ["x"], "ledger_1": ["x"]}})",
                 R"({"message": "words", "errors":
                     {"name": ["must have at least 1 character"],
                      "address.city": ["must be there"]}})"},
        BodyCase{"fields_with_texts", 422, R"({"message": "x", "errors": {"harbour": "x"}})",
                 R"({"message": "words", "errors": {"name": "must have at least 1 character",
                                                    "address.city": "must be there"}})"},
        BodyCase{"fields_with_objects", 422,
                 R"({"errors": {"harbour": {"code": "x", "message": "x"}}})",
                 R"({"errors": {"name": {"code": "minLength",
                                         "message": "must have at least 1 character"},
                                "address.city": {"code": "required",
                                                 "message": "must be there"}}})"},
        BodyCase{"fields_of_none", 404, R"({"message": "x", "errors": {"harbour": ["x"]}})",
                 R"({"message": "words"})"},
        BodyCase{"required_fields_of_none",
                 404,
                 R"({"message": "x", "errors": {"harbour": ["x"]}})",
                 R"({"message": "words", "errors": {}})",
                 {"errors"}},
        BodyCase{"issues_at_paths", 422, R"({"details": [{"path": "x", "issue": "oasis"}]})",
                 R"({"details": [{"path": "/name", "issue": "must have at least 1 character"},
                                 {"path": "/address/city", "issue": "must be there"}]})"},
        BodyCase{"issues_of_none", 404,
                 R"({"message": "x", "details": [{"path": "x", "issue": "x"}]})",
                 R"({"message": "words"})"},
        BodyCase{"required_issues_of_none",
                 404,
                 R"({"message": "x", "details": [{"path": "x", "issue": "x"}]})",
                 R"({"message": "words", "details": []})",
                 {"details"}},
        BodyCase{"only_place_of_the_message", 404, R"({"detail": [{"msg": "x"}, {"msg": "y"}]})",
                 R"({"detail": [{"msg": "words"}]})"},
        BodyCase{"field_violations", 422,
                 R"({"error": {"code": 1, "message": "x", "details":
                     [{"@type": "x", "fieldViolations": [{"field": "x", "description": "x"}]}]}})",
                 R"({"error": {"code": 422, "message": "words", "details":
                     [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations":
                       [{"field": "name", "description": "must have at least 1 character"},
                        {"field": "address.city", "description": "must be there"}]}]}})"},
        BodyCase{"statuses_flags_and_times", 404,
                 R"({"statusCode": 315, "code": 7, "success": true, "ok": true, "error": false,
                     "timestamp": "x", "path": "x", "requestId": "req_1", "retries": 3})",
                 R"({"statusCode": 404, "code": 404, "success": false, "ok": false, "error": true,
                     "timestamp": "2026-01-31T12:00:00.000000Z", "path": "/orders/7",
                     "requestId": "req_1"})"},
        BodyCase{"parameter_of_one_error", 422,
                 R"({"error": {"type": "x", "param": "ember", "message": "x", "doc_url": "x"}})",
                 R"({"error": {"type": "validation_error", "param": "name", "message": "words"}})"},
        BodyCase{"parameter_of_none", 404,
                 R"({"error": {"code": "x", "param": "ember", "message": "x"}})",
                 R"({"error": {"code": "CODE", "message": "words"}})"},
        BodyCase{"messages_by_their_names", 404,
                 R"({"reason": "x", "userMessage": "x", "id": "x"})",
                 R"({"reason": "words", "userMessage": "words"})"},
        BodyCase{"errors_of_oauth", 422, R"({"error": "x", "error_description": "x"})",
                 R"({"error": "invalid_request", "error_description": "words"})"},
        BodyCase{"code_of_the_status",
                 404,
                 R"({"code": "conflict", "message": "words"})",
                 R"({"code": "resource_missing", "message": "words"})",
                 {},
                 {"conflict", "internal", "resource_missing"}},
        BodyCase{"code_with_the_word_in_it",
                 403,
                 R"({"code": "INTERNAL", "message": "words"})",
                 R"({"code": "E_FORBIDDEN", "message": "words"})",
                 {},
                 {"CONFLICT", "INTERNAL", "E_FORBIDDEN"}},
        BodyCase{"first_code_where_none_fits",
                 409,
                 R"({"code": "b", "message": "words"})",
                 R"({"code": "a", "message": "words"})",
                 {},
                 {"a", "b"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mock_server::service::checks
