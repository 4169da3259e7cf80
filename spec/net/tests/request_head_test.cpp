#include "spec/net/base_url.hpp"

#include <gtest/gtest.h>

namespace spec::net {
namespace {

const http::Request kRequest{.method = "PUT",
                             .target = "/a?b=c",
                             .headers = {{"Host", "a.test"}, {"x", ""}},
                             .body = "body"};

BaseUrl url_by_proxy(bool tls) {
  return {.tls = tls,
          .host = "a.test",
          .port = 8080,
          .prefix = {},
          .proxy = Proxy{.host = "p.test", .port = 3128, .authorization = "Basic eDp5"}};
}

TEST(RequestHead, has_the_fields_as_they_are) {
  EXPECT_EQ(request_head(kRequest, {.host = "a.test", .prefix = {}}),
            "PUT /a?b=c HTTP/1.1\r\nHost: a.test\r\nx: \r\n\r\n");
}

TEST(RequestHead, has_the_whole_uri_and_the_credentials_for_a_proxy) {
  EXPECT_EQ(request_head(kRequest, url_by_proxy(false)),
            "PUT http://a.test:8080/a?b=c HTTP/1.1\r\nProxy-Authorization: Basic eDp5\r\n"
            "Host: a.test\r\nx: \r\n\r\n");
}

TEST(RequestHead, inside_of_a_tunnel_is_for_the_server_alone) {
  EXPECT_EQ(request_head(kRequest, url_by_proxy(true)),
            "PUT /a?b=c HTTP/1.1\r\nHost: a.test\r\nx: \r\n\r\n");
}

}  // namespace
}  // namespace spec::net
