// Secrets in recorded responses: in bodies of several forms, and in fields.

#include "mock_server/record/tests/record_case.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace mock_server::record {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::entry;
using tests::har;
using tests::json;
using tests::Record;

struct ResponseRow {
  std::string name;
  std::string type;
  std::string body;
  std::string field = "X-Other";
  std::string value = "none";
  bool is_kept = false;
};

void PrintTo(const ResponseRow& row, std::ostream* out) {
  *out << row.name;
}

class ResponseSecrets : public Record, public testing::WithParamInterface<ResponseRow> {};

// "shorty" is too short to be known wherever it comes up.
TEST_P(ResponseSecrets, are_nowhere_and_other_values_stay) {
  const ResponseRow& row = GetParam();
  json one = entry("GET", "/notes/n1", 200, nullptr);
  one["response"]["content"]["mimeType"] = row.type;
  one["response"]["content"]["text"] = row.body;
  one["response"]["headers"] = json::array({{{"name", "Content-Type"}, {"value", row.type}},
                                            {{"name", row.field}, {"value", row.value}}});

  EXPECT_EQ(record(har(json::array({one}))), 0) << notes_.str();

  EXPECT_EQ(text("calls.jsonl").find("shorty") != std::string::npos, row.is_kept)
      << text("calls.jsonl");
  EXPECT_THAT(everything(), Not(HasSubstr("planted-row")));
}

constexpr const char* kJson = "application/json";
constexpr const char* kForm = "application/x-www-form-urlencoded";
constexpr const char* kXml = "application/xml";

INSTANTIATE_TEST_SUITE_P(
    Bodies, ResponseSecrets,
    testing::Values(
        ResponseRow{"form", kForm, "access_token=shorty&scope=all"},
        ResponseRow{"form_learned", kForm, "id_token=planted-row&text=a+planted-row+b"},
        ResponseRow{"json_as_form", kForm, R"({"password": "shorty"})"},
        ResponseRow{"element", kXml, "<a><password>shorty</password></a>"},
        ResponseRow{"element_with_prefix", kXml,
                    "<s:token s:x=\"1\"> <![CDATA[shorty]]></s:token>"},
        ResponseRow{"element_learned", kXml, "<a><secret>planted-row</secret>planted-row</a>"},
        ResponseRow{"element_that_does_not_end", kXml, "<a><password>shorty"},
        ResponseRow{"attribute", kXml, "<a Password = 'shorty'/>"},
        ResponseRow{"input", "text/html", "<input name=password value='shorty'>"},
        ResponseRow{"input_learned", "text/html",
                    "<input value=planted-row name=api_key> planted-row"},
        ResponseRow{"user_of_a_url", "text/plain", "at ftp://u:shorty@host/"},
        ResponseRow{"user_of_a_url_in_a_member", kJson,
                    R"({"id": "n1", "title": "http://u:planted-row@localhost/ planted-row"})"},
        ResponseRow{"json_as_text", "text/plain", R"({"password": ["shorty"]})"},
        ResponseRow{"lines_of_json", "text/plain", "{\"password\": \"shorty\"}\n{}\n"},
        ResponseRow{"url_in_a_member", kJson, R"({"id": "n1", "title": "/cb?api_key=shorty"})"},
        ResponseRow{"json_in_a_member", kJson, R"({"id": "n", "title": "{\"pwd\":\"shorty\"}"})"},
        ResponseRow{"access_key", kJson, R"({"id": "n1", "access_key": "shorty"})"},
        ResponseRow{"session_id", kJson, R"({"id": "n1", "session_id": "shorty"})"},
        ResponseRow{"passcode", kJson, R"({"id": "n1", "passcode": "shorty"})"},
        ResponseRow{"signature_in_a_url", kJson, R"({"id": "n1", "title": "/b?sig=shorty"})"},
        ResponseRow{"tokens", kJson, R"({"id": "n1", "api_tokens": ["shorty", "x"]})"},
        ResponseRow{.name = "tokens_that_are_counted",
                    .type = kJson,
                    .body = R"({"id": "n1", "title": "shorty", "max_tokens": 7})",
                    .is_kept = true},
        ResponseRow{.name = "page_tokens",
                    .type = kJson,
                    .body = R"({"id": "n1", "next_page_tokens": ["shorty"]})",
                    .is_kept = true},
        ResponseRow{"code_for_a_token", kForm, "grant_type=authorization_code&code=shorty"},
        ResponseRow{.name = "another_code", .type = kForm, .body = "code=shorty", .is_kept = true},
        ResponseRow{.name = "page_token",
                    .type = kJson,
                    .body = R"({"id": "n1", "next_page_token": "shorty"})",
                    .is_kept = true},
        ResponseRow{
            .name = "prose", .type = "text/plain", .body = "the token: shorty", .is_kept = true}),
    spec::tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Fields, ResponseSecrets,
    testing::Values(
        ResponseRow{"query", kJson, R"({"id": "n1"})", "Location", "/cb?access_token=shorty&a=1"},
        ResponseRow{"fragment", kJson, R"({"id": "n1"})", "Location", "//h/#access_token=shorty"},
        ResponseRow{"learned", kJson, R"({"id": "n1", "title": "a planted-row"})", "X-Auth-Token",
                    "planted-row"},
        ResponseRow{"learned_of_a_query", kJson, R"({"id": "n1", "title": "a planted-row"})",
                    "Location", "/cb?access_token=planted%2Drow"},
        ResponseRow{"user_of_a_url", kJson, R"({"id": "n1"})", "Location", "http://shorty@host/"},
        ResponseRow{"session", kJson, R"({"id": "n1"})", "X-Session-Token", "shorty"},
        ResponseRow{"csrf", kJson, R"({"id": "n1"})", "X-Csrf-Token", "shorty"},
        ResponseRow{"amazon", kJson, R"({"id": "n1"})", "X-Amz-Security-Token", "shorty"},
        ResponseRow{"api_token", kJson, R"({"id": "n1"})", "Api-Token", "shorty"},
        ResponseRow{"auth_key", kJson, R"({"id": "n1"})", "X-Auth-Key", "shorty"},
        ResponseRow{"azure", kJson, R"({"id": "n1"})", "Ocp-Apim-Subscription-Key", "shorty"},
        ResponseRow{"functions", kJson, R"({"id": "n1"})", "X-Functions-Key", "shorty"},
        ResponseRow{"gitlab", kJson, R"({"id": "n1"})", "Private-Token", "shorty"},
        ResponseRow{"amazon_url", kJson, R"({"id": "n1"})", "Location",
                    "//h/a?X-Amz-Credential=shorty&X-Amz-Signature=shorty"},
        ResponseRow{"google_url", kJson, R"({"id": "n1"})", "Location",
                    "//h/a?X-Goog-Signature=shorty&a=1"},
        ResponseRow{"page", kJson, R"({"id": "n1"})", "Link", "</n?page_token=shorty>", true}),
    spec::tests::kRowNames);

TEST_F(Record, writes_a_request_whose_body_was_cut_without_its_body) {
  json one = entry("PATCH", "/notes/n1", 200, tests::note("done"), {{"title", "x"}});
  one["request"]["postData"]["text"] = R"({"title": "planted)";
  one["request"]["bodySize"] = 100;

  EXPECT_EQ(record(har(json::array({one}))), 0) << notes_.str();

  EXPECT_THAT(text("calls.jsonl"), HasSubstr("\"body_is_missing\":true"));
  EXPECT_THAT(text("calls.jsonl"), Not(HasSubstr("planted")));
}

TEST_F(Record, keeps_the_fields_of_a_response_as_valid_as_they_were) {
  json contract = json::parse(tests::kContract);
  contract["paths"]["/login"]["post"]["responses"]["200"]["headers"] = json::parse(
      R"({"X-Session-Token": {"schema": {"type": "string", "pattern": "^st-[0-9]{8}$"}},
          "X-Pin": {"schema": {"type": "integer", "format": "password", "maximum": 9999}}})");
  put("contract.json", contract.dump());
  json one = entry("POST", "/login", 200, {{"access_token", "tok-0123456789abcdef"}},
                   {{"user", "mira"}, {"password", "planted-word"}});
  one["response"]["headers"].push_back({{"name", "X-Session-Token"}, {"value", "st-12345678"}});
  one["response"]["headers"].push_back({{"name", "X-Pin"}, {"value", "7713"}});

  EXPECT_EQ(record(har(json::array({one}))), 0) << notes_.str();

  EXPECT_THAT(text("scenarios/recorded.json"), testing::ContainsRegex("\"st-[0-9]{8}\""));
  EXPECT_THAT(everything(), Not(HasSubstr("st-12345678")));
  EXPECT_THAT(everything(), Not(HasSubstr("\"7713\"")));
  EXPECT_NE(api({folder_ / "out"}), nullptr);
}

TEST_F(Record, makes_replacements_for_the_schema_of_the_closest_media_type) {
  json contract = json::parse(tests::kContract);
  contract["paths"]["/login"]["post"]["requestBody"]["content"]["application/*"] = json::object();
  put("contract.json", contract.dump());

  record(har(json::array({entry("POST", "/login", 200, {{"access_token", "tok-0123456789abcdef"}},
                                {{"user", "mira"}, {"password", "planted-word"}})})));

  const json body =
      json::parse(json::parse(text("calls.jsonl")).at("request").at("body").get<std::string>());
  const auto password = body.at("password").get<std::string>();
  EXPECT_NE(password, "planted-word");
  EXPECT_LE(password.size(), 14U);
}

}  // namespace
}  // namespace mock_server::record
