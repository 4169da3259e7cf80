#include "mock_server/upstream/proxy_fields.hpp"
#include "mock_server/upstream/upstream_settings.hpp"

#include <gmock/gmock.h>

namespace mock_server::upstream {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(EndToEnd, leaves_out_what_belongs_to_one_connection) {
  const spec::http::Headers headers{{"Connection", "close, X-Own"},
                                    {"x-own", "1"},
                                    {"Keep-Alive", "5"},
                                    {"TE", "trailers"},
                                    {"Upgrade", "h2c"},
                                    {"Set-Cookie", "a"},
                                    {"Set-Cookie", "b"}};

  EXPECT_THAT(end_to_end(headers).lines(),
              ElementsAre(Pair("Set-Cookie", "a"), Pair("Set-Cookie", "b")));
}

TEST(ToService, has_the_services_host_and_names_us) {
  const spec::http::Request request{
      "POST",
      "/a",
      {{"Host", "mock"}, {"X-Counterpart-Session", "s"}, {"Expect", "100-continue"}, {"A", "%41"}},
      "body"};

  const auto sent = to_service(request, "/v1/a", "service:81", "us");

  EXPECT_THAT(sent.headers.lines(),
              ElementsAre(Pair("Host", "service:81"), Pair("A", "%41"), Pair("Content-Length", "4"),
                          Pair("Via", "1.1 us")));
  EXPECT_EQ(sent.target, "/v1/a");
  EXPECT_TRUE(has_been_here(sent, "us"));
  EXPECT_FALSE(has_been_here(request, "us"));
}

TEST(MaxForwards, are_counted_down_for_options_and_trace_alone) {
  const auto passed = [](const std::string& method, const std::string& count) {
    const spec::http::Request request{method, "/", {{"Max-Forwards", count}}, ""};
    const auto sent = to_service(request, "/", "a", "us");
    return may_go_on(request) ? std::string(sent.headers.find("Max-Forwards").value_or(""))
                              : "(stays)";
  };

  EXPECT_EQ(passed("OPTIONS", "2"), "1");
  EXPECT_EQ(passed("TRACE", "1"), "0");
  EXPECT_EQ(passed("OPTIONS", "0"), "(stays)");
  EXPECT_EQ(passed("GET", "0"), "0");
  EXPECT_EQ(passed("OPTIONS", "many"), "many");
}

TEST(Fill, is_what_is_listed) {
  const auto fill = parse_fill("501, 404-operation,timeout");

  ASSERT_TRUE(fill);
  EXPECT_EQ(*fill, (Fill{{501}, true, false, true}));
  EXPECT_FALSE(parse_fill("501,teapot"));
}

}  // namespace
}  // namespace mock_server::upstream
