// Cookies, queries and bodies as HAR has them.

#include "spec/har/har.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace spec::har {

namespace {

using nlohmann::json;

json value_of(std::string_view text) {
  return json::parse(text);
}

TEST(Write, a_request_has_its_query_and_its_cookies_taken_apart) {
  const auto written = write_request({.method = "GET",
                                      .target = "/a%2Fb?x=1&y=%C3%A9&z&&bad=%zz",
                                      .headers = {{"Cookie", "a=1; b"}, {"Cookie", "c = 2"}},
                                      .body = ""},
                                     "http://h/a%2Fb", 0);

  EXPECT_EQ(written, value_of(R"({"method": "GET", "url": "http://h/a%2Fb",
      "httpVersion": "HTTP/1.1", "headersSize": -1, "bodySize": 0,
      "cookies": [{"name": "a", "value": "1"}, {"name": "b", "value": ""},
                  {"name": "c", "value": "2"}],
      "headers": [{"name": "Cookie", "value": "a=1; b"}, {"name": "Cookie", "value": "c = 2"}],
      "queryString": [{"name": "x", "value": "1"}, {"name": "y", "value": "é"},
                      {"name": "z", "value": ""}, {"name": "bad", "value": "%zz"}]})"));
}

TEST(Write, a_response_has_its_cookies_without_their_attributes) {
  const auto written = write_response({.status = 201,
                                       .reason = "Made",
                                       .headers = {{"Set-Cookie", "c=3; Path=/"}, {"X", "\xff"}},
                                       .body = ""},
                                      "HTTP/1.0", {{"size", 0}});

  EXPECT_EQ(written, value_of(R"({"status": 201, "statusText": "Made", "httpVersion": "HTTP/1.0",
      "cookies": [{"name": "c", "value": "3"}], "content": {"size": 0}, "redirectURL": "",
      "headers": [{"name": "Set-Cookie", "value": "c=3; Path=/"}, {"name": "X", "value": "�"}],
      "headersSize": -1, "bodySize": -1})"));
}

TEST(Write, bytes_that_are_no_text_are_base64) {
  json text{{"size", 1}};
  json bytes{{"size", 1}};

  add_body(text, "é", true);
  add_body(bytes, "\xff", false);

  EXPECT_EQ(text, value_of(R"({"size": 1, "text": "é"})"));
  EXPECT_EQ(bytes, value_of(R"({"size": 1, "text": "/w==", "encoding": "base64"})"));
}

}  // namespace

}  // namespace spec::har
