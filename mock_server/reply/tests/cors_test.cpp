#include "mock_server/reply/cors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mock_server::reply {
namespace {

using spec::http::Request;
using spec::http::Response;

const Request kPreflight{"OPTIONS",
                         "/anything",
                         {{"Origin", "http://localhost:3000"},
                          {"Access-Control-Request-Method", "PATCH"},
                          {"Access-Control-Request-Headers", "authorization,content-type"}},
                         ""};

TEST(Cors, preflight_echoes_the_requested_method_and_headers) {
  const Response response = response_preflight(kPreflight);

  EXPECT_EQ(response.status, 204);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.headers.find("Access-Control-Allow-Origin"), "http://localhost:3000");
  EXPECT_EQ(response.headers.find("Access-Control-Allow-Methods"), "PATCH");
  EXPECT_EQ(response.headers.find("Access-Control-Allow-Headers"), "authorization,content-type");
  EXPECT_EQ(response.headers.find("Access-Control-Allow-Credentials"), "true");
  EXPECT_FALSE(response.headers.has("Access-Control-Allow-Private-Network"));
}

TEST(Cors, preflight_lets_pages_reach_a_private_network_when_asked) {
  Request request = kPreflight;
  request.headers.add("Access-Control-Request-Private-Network", "true");

  EXPECT_EQ(response_preflight(request).headers.find("Access-Control-Allow-Private-Network"),
            "true");
}

TEST(Cors, responses_to_a_page_name_its_origin_and_expose_their_headers) {
  Response response{200, "", {{"Content-Type", "application/json"}, {"ETag", "\"a\""}}, ""};
  add_cors({"GET", "/", {{"Origin", "null"}}, ""}, response);

  EXPECT_EQ(response.headers.find("Access-Control-Allow-Origin"), "null");
  EXPECT_EQ(response.headers.find("Access-Control-Allow-Credentials"), "true");
  EXPECT_EQ(response.headers.find("Access-Control-Expose-Headers"), "Date, ETag");
}

TEST(Cors, responses_without_an_origin_allow_any_origin) {
  Response response;
  add_cors({"GET", "/", {}, ""}, response);

  EXPECT_EQ(response.headers.find("Access-Control-Allow-Origin"), "*");
  EXPECT_FALSE(response.headers.has("Access-Control-Allow-Credentials"));
}

TEST(Cors, headers_are_exposed_only_to_pages) {
  Response to_page;
  Response to_program;
  expose_headers(kPreflight, to_page, "X-A");
  expose_headers({"GET", "/", {}, ""}, to_program, "X-A");

  EXPECT_EQ(to_page.headers.find("Access-Control-Expose-Headers"), "X-A");
  EXPECT_FALSE(to_program.headers.has("Access-Control-Expose-Headers"));
}

TEST(Cors, an_origin_that_the_response_already_names_is_replaced) {
  Response response{200, "", {{"Access-Control-Allow-Origin", "string"}}, ""};
  add_cors({"GET", "/", {{"Origin", "http://a"}}, ""}, response);

  EXPECT_THAT(response.headers.all("Access-Control-Allow-Origin"),
              testing::ElementsAre("http://a"));
}

}  // namespace
}  // namespace mock_server::reply
