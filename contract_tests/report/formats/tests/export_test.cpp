// Requests of recorded findings in the formats of other tools: what is written, and what is said of
// what cannot be.

#include "contract_tests/report/case_value.hpp"
#include "contract_tests/report/formats/exported_requests.hpp"
#include "spec/json/read.hpp"
#include "spec/text/encoding.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>

namespace contract_tests::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

client::Exchange exchange_with(const std::string& body) {
  client::Exchange exchange;
  exchange.started =
      std::chrono::system_clock::time_point(std::chrono::milliseconds(1'700'000'000'123));
  exchange.url = "http://127.0.0.1:1/v1/licences/a%2Fb?x=1&y=%C3%A9";
  exchange.sent = {.method = "POST",
                   .target = "/v1/licences/a%2Fb?x=1&y=%C3%A9",
                   .headers = {{"Host", "127.0.0.1:1"},
                               {"Authorization", "Bearer $TOKEN"},
                               {"Cookie", "a=1; b=2"},
                               {"Content-Type", "application/json"},
                               {"Content-Length", "9"}},
                   .body = R"({"key":1})"};
  exchange.record.head.status_line = "HTTP/1.1 200 All right";
  exchange.record.head.status = 200;
  exchange.record.head.lines = {{"Content-Type: text/plain", "Content-Type", "text/plain"},
                                {"Set-Cookie: c=3; Path=/", "Set-Cookie", "c=3; Path=/"}};
  exchange.response.status = 200;
  exchange.response.body = body;
  exchange.body_bytes = body.size();
  exchange.ending = client::Ending::kKeptOpen;
  exchange.timing = {.connect = std::chrono::microseconds(1000),
                     .first_byte = std::chrono::microseconds(3000),
                     .total = std::chrono::microseconds(7000)};
  return exchange;
}

// A run with one finding of one case, which its only exchange shows.
class Export : public testing::Test {
 protected:
  Export() {
    show(exchange_with("all"));
    finding() = {{"rule", "schema/type"},
                 {"severity", "error"},
                 {"class", "document"},
                 {"clause", "§4"},
                 {"place", "body"},
                 {"message", "must be a\nnumber"},
                 {"changed", "query x 1"},
                 {"response", "200 text/plain, 3 bytes"},
                 {"curl", "curl 'http://127.0.0.1:1/v1/licences/a%2Fb'"},
                 {"fingerprint", "0123456789abcdef"},
                 {"exchange", 0}};
    item()["id"] = "POST_licences_key.a_case";
    item()["operation"] = "validate";
    item()["operation_name"] = "POST /licences/{key}";
    item()["sentence"] = "a case";
    item()["rule"] = "status/success";
    item()["clause"] = "§4.5";
    item()["class"] = "document";
    item()["steps"] = json::array({1});
    item()["planned"] = {{"hash", "0123456789abcdef"},
                         {"requests", json::array({{{"query", json::array({{"x", "1"}})}}})},
                         {"expect", {{"want", "accepted"}}},
                         {"more", false}};
    run_["contract"] = "Shop 1";
    run_["started"] = "2024-01-01T00:00:00Z";
  }

  void show(const client::Exchange& exchange) {
    run_["exchanges"] = json::array({exchange_json(exchange)});
  }

  json& item() { return run_["cases"][0]; }

  json& finding() { return item()["findings"][0]; }

  std::vector<SelectedFinding> all() { return {{&item(), &finding()}}; }

  json entry() {
    const auto made = formats::export_har(run_, all(), "1");
    return spec::json::read(made.text).value().at("log").at("entries").at(0);
  }

  json run_;
};

TEST_F(Export, curl_lines_are_below_what_was_found) {
  const auto made = formats::export_curl(all());

  EXPECT_EQ(made.text,
            "# POST /licences/{key}: a case\n"
            "#   error schema/type body: must be a number (id 0123456789abcdef)\n"
            "curl 'http://127.0.0.1:1/v1/licences/a%2Fb'\n");
  EXPECT_THAT(made.left_out, IsEmpty());
}

TEST_F(Export, one_curl_line_of_several_requests_is_called_one) {
  item()["steps"] = json::array({1, 2});
  const std::vector<std::pair<std::string, bool>> lines = {
      {"curl -H 'Content-Type: application/json; charset=utf-8' 'http://127.0.0.1:1/a'", true},
      {R"(curl -H 'X-A: it'\''s; curl "b' 'http://127.0.0.1:1/a')", true},
      {R"~(curl -H 'Cookie: a="; c='"$(printf %s "$TOKEN" | tr a A)"'; d=e' 'http://b')~", true},
      {"curl 'http://127.0.0.1:1/a'; curl 'http://127.0.0.1:1/b'", false},
      {R"(curl -H 'X-A: '\''' 'http://127.0.0.1:1/a'; printf 'a' | curl 'http://b')", false}};
  for (const auto& [line, is_one] : lines) {
    finding()["curl"] = line;

    const auto text = formats::export_curl(all()).text;

    EXPECT_EQ(text.find("#   one of 2 requests of the case\n") != std::string::npos, is_one)
        << line;
  }
}

TEST_F(Export, a_finding_beyond_the_limit_of_the_report_is_named) {
  finding()["curl"] = "";
  finding().erase("exchange");

  const auto line =
      "0123456789abcdef (POST_licences_key.a_case): its request and response were "
      "beyond the limit of the report; repeat the run with --filter and the name of "
      "the case";
  EXPECT_THAT(formats::export_curl(all()).left_out, ElementsAre(line));
  EXPECT_THAT(formats::export_http(run_, all()).left_out, ElementsAre(line));
  EXPECT_THAT(formats::export_har(run_, all(), "1").left_out, ElementsAre(line));
}

TEST_F(Export, http_has_variables_for_base_url_and_token) {
  const auto made = formats::export_http(run_, all());

  EXPECT_EQ(made.text,
            "# Requests of findings, for REST clients of editors.\n"
            "@baseUrl = http://127.0.0.1:1\n"
            "# No token is recorded: put yours here.\n"
            "@token = put-a-token-here\n"
            "\n"
            "### POST /licences/{key}: a case\n"
            "# error schema/type body: must be a number (id 0123456789abcdef)\n"
            "POST {{baseUrl}}/v1/licences/a%2Fb?x=1&y=%C3%A9 HTTP/1.1\n"
            "Authorization: Bearer {{token}}\n"
            "Cookie: a=1; b=2\n"
            "Content-Type: application/json\n"
            "\n"
            "{\"key\":1}\n");
}

TEST_F(Export, http_leaves_out_credentials_that_are_changed) {
  finding()["changed"] = "header Authorization: Bearer ${case.token}";

  EXPECT_THAT(formats::export_http(run_, all()).left_out,
              ElementsAre(HasSubstr("its credentials are changed, which a variable cannot say")));
}

TEST_F(Export, http_leaves_out_bodies_that_a_client_reads_otherwise) {
  for (const std::string body : {"{{x}}", "a\n### b", "< file", "\x01", "a\n", " a"}) {
    auto exchange = exchange_with("all");
    exchange.sent.body = body;
    show(exchange);

    const auto made = formats::export_http(run_, all());

    EXPECT_EQ(made.written, 0U) << body;
    EXPECT_EQ(made.left_out.size(), 1U) << body;
  }
}

TEST_F(Export, har_has_the_exchange_as_it_was) {
  const auto one = entry();

  EXPECT_EQ(one.at("startedDateTime"), "2023-11-14T22:13:20.123Z");
  EXPECT_EQ(one.at("time"), 7.0);
  EXPECT_EQ(one.at("timings"), json({{"blocked", -1},
                                     {"dns", -1},
                                     {"ssl", -1},
                                     {"connect", 1.0},
                                     {"send", 0},
                                     {"wait", 2.0},
                                     {"receive", 4.0}}));
  EXPECT_EQ(one.at("request").at("queryString"),
            json({{{"name", "x"}, {"value", "1"}}, {{"name", "y"}, {"value", "é"}}}));
  EXPECT_EQ(one.at("request").at("cookies"),
            json({{{"name", "a"}, {"value", "1"}}, {{"name", "b"}, {"value", "2"}}}));
  EXPECT_EQ(one.at("request").at("postData").at("text"), R"({"key":1})");
  EXPECT_EQ(one.at("response").at("status"), 200);
  EXPECT_EQ(one.at("response").at("statusText"), "All right");
  EXPECT_EQ(one.at("response").at("cookies"), json({{{"name", "c"}, {"value", "3"}}}));
  EXPECT_EQ(one.at("response").at("content"),
            json({{"size", 3}, {"mimeType", "text/plain"}, {"text", "all"}}));
}

TEST_F(Export, har_writes_bytes_in_base64) {
  const std::string bytes("\x00\xff%PDF", 6);
  show(exchange_with(bytes));

  const auto content = entry().at("response").at("content");

  EXPECT_EQ(content.at("encoding"), "base64");
  EXPECT_EQ(spec::text::from_base64(content.at("text").get<std::string>()), bytes);
}

TEST_F(Export, har_does_not_guess_bytes) {
  show(exchange_with("\\x41\xff"));

  const auto made = formats::export_har(run_, all(), "1");

  EXPECT_FALSE(entry().at("response").at("content").contains("text"));
  EXPECT_THAT(made.left_out, ElementsAre(HasSubstr("are not known for certain")));
}

TEST_F(Export, har_does_not_show_a_cut_body_as_a_whole_one) {
  auto exchange = exchange_with("the beginning");
  exchange.body_bytes = 40'000;
  show(exchange);

  const auto made = formats::export_har(run_, all(), "1");
  const auto content = entry().at("response").at("content");

  EXPECT_FALSE(content.contains("text"));
  EXPECT_EQ(content.at("size"), 40'000);
  EXPECT_THAT(made.left_out, ElementsAre(HasSubstr("only the beginning")));
}

TEST_F(Export, har_has_status_0_where_no_response_came) {
  auto exchange = exchange_with("");
  exchange.ending = client::Ending::kNoConnection;
  exchange.failure = "closed";
  show(exchange);

  EXPECT_EQ(entry().at("response").at("status"), 0);
  EXPECT_EQ(entry().at("response").at("_error"), "no connection closed");
}

TEST_F(Export, a_case_has_the_planned_request_and_expectation) {
  const auto made = formats::export_cases(run_, all());

  EXPECT_EQ(made.text,
            "# Cases made of findings of Shop 1.\n"
            "cases:\n"
            "  # error schema/type body: must be a number (id 0123456789abcdef)\n"
            "  - sentence: \"a case (found as 0123456789abcdef)\"\n"
            "    operation: \"validate\"\n"
            "    rule: \"status/success\"\n"
            "    clause: \"§4.5\"\n"
            "    class: \"document\"\n"
            "    without_body: true\n"
            "    request: {\"query\":[[\"x\",\"1\"]]}\n"
            "    changed: \"query x 1\"\n"
            "    expect: {\"want\":\"accepted\"}\n");
}

TEST_F(Export, a_case_of_a_chain_has_the_request_that_showed_it) {
  item()["planned"]["more"] = true;

  const auto text = formats::export_cases(run_, all()).text;

  EXPECT_THAT(text, HasSubstr("\"path\":{\"key\":\"a/b\"}"));
  EXPECT_THAT(text, HasSubstr("\"raw_query\":\"x=1&y=%C3%A9\""));
  EXPECT_THAT(text, HasSubstr("\"raw_body\":\"{\\\"key\\\":1}\""));
  EXPECT_THAT(text, HasSubstr("{\"want\":\"anything\"}"));
  EXPECT_THAT(text, Not(HasSubstr("TOKEN")));
}

TEST_F(Export, a_case_of_a_chain_has_a_parameter_that_is_a_part_of_a_segment) {
  item()["planned"]["more"] = true;
  item()["operation_name"] = "POST /licences/a{rest}";

  EXPECT_THAT(formats::export_cases(run_, all()).text, HasSubstr("\"path\":{\"rest\":\"/b\"}"));
}

TEST_F(Export, a_request_outside_of_the_path_of_the_operation_is_no_case) {
  item()["planned"]["more"] = true;
  item()["operation_name"] = "POST /keys/{key}";

  EXPECT_THAT(formats::export_cases(run_, all()).left_out,
              ElementsAre(HasSubstr("does not fit the path")));
}

TEST_F(Export, a_comparison_of_several_responses_is_no_case) {
  item()["planned"]["more"] = true;
  finding()["rule"] = "status/success";

  EXPECT_THAT(formats::export_cases(run_, all()).left_out,
              ElementsAre(HasSubstr("several responses")));
}

TEST_F(Export, what_only_the_chain_shows_is_no_case) {
  item()["planned"]["more"] = true;
  finding()["rule"] = "file/cut";

  EXPECT_THAT(formats::export_cases(run_, all()).left_out,
              ElementsAre(HasSubstr("several responses")));
}

TEST_F(Export, a_case_without_room_in_the_report_is_no_case) {
  item()["planned"].erase("requests");

  EXPECT_THAT(formats::export_cases(run_, all()).left_out,
              ElementsAre(HasSubstr("what its case sends and expects is too long")));
}

TEST_F(Export, a_request_that_holds_a_token_is_no_case) {
  item()["planned"]["requests"][0]["body"] = {{"key", "$TOKEN"}};

  EXPECT_THAT(formats::export_cases(run_, all()).left_out, ElementsAre(HasSubstr("holds a token")));
}

}  // namespace
}  // namespace contract_tests::report
