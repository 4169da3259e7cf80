// Content codings of requests, over sockets: what is taken off, and what is rejected.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"
#include "spec/http/tests/gzip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::transport {

namespace {

using spec::http::gzip;
using spec::http::ResponseRecord;
using testing::Client;
using testing::RunningListener;

// The same bytes in every run, hardly compressible.
std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 1;
  for (char& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<char>('a' + (state >> 24U) % 26);
  }
  return bytes;
}

class ContentCodings : public ::testing::Test {
 protected:
  static ListenerOptions options() {
    ListenerOptions options;
    options.limits.body_bytes = 1024 * 1024;
    return options;
  }

  ResponseRecord post(const std::string& codings, std::string_view body) {
    Client client(listener_.port());
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Encoding: " + codings +
                "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n");
    client.send(body);
    return client.read_response();
  }

  RunningListener listener_{options()};
};

}  // namespace

struct Amount {
  const char* name;
  const char* target;
  const char* type;
  std::string body;
  int status;
};

TEST(Amounts, up_to_the_limits_are_accepted) {
  ListenerOptions options;
  options.limits.query_pairs = 2;
  options.limits.multipart_parts = 2;
  options.limits.json_depth = 2;
  RunningListener listener(options);
  const std::string part = "--b\r\n\r\nx\r\n";
  const std::string end = "--b--\r\n";
  const std::vector<Amount> amounts{
      {"pairs", "/echo?a=1&b=2", "", "", 200},
      {"one pair more", "/echo?a=1&b=2&c", "", "", 400},
      {"a form", "/echo", "application/x-www-form-urlencoded", "a=1&b=2", 200},
      {"a longer form", "/echo", "application/x-www-form-urlencoded", "a=1&b=2&c", 413},
      {"two parts", "/echo", "multipart/form-data; boundary=b", part + part + end, 200},
      {"three parts", "/echo", "multipart/form-data; boundary=b", part + part + part + end, 413},
      {"two levels", "/echo", "application/json", R"([{"a": "[[[\"[["}, [], []])", 200},
      {"three levels", "/echo", "application/x+json", "[[[]]]", 400},
      {"levels of a text", "/echo", "text/plain", "[[[]]]", 200},
  };
  for (const Amount& amount : amounts) {
    Client client(listener.port());
    client.send("POST " + std::string(amount.target) + " HTTP/1.1\r\nHost: a\r\nContent-Type: " +
                amount.type + "\r\nContent-Length: " + std::to_string(amount.body.size()) +
                "\r\n\r\n" + amount.body);

    EXPECT_EQ(client.read_response().head.status, amount.status) << amount.name;
  }
}

TEST_F(ContentCodings, gzip_is_decoded) {
  EXPECT_EQ(post("gzip", gzip("hello")).response.body, "POST /echo hello");
  EXPECT_EQ(post("GZIP", gzip("hello")).response.body, "POST /echo hello");
  EXPECT_EQ(post("identity", "hello").response.body, "POST /echo hello");
}

TEST_F(ContentCodings, several_gzip_members_are_one_body) {
  EXPECT_EQ(post("gzip", gzip("hello ") + gzip("world")).response.body, "POST /echo hello world");
}

TEST_F(ContentCodings, several_codings_are_decoded_in_turn) {
  EXPECT_EQ(post("gzip, gzip", gzip(gzip("hello"))).response.body, "POST /echo hello");
}

TEST_F(ContentCodings, a_long_body_is_decoded_whole) {
  const std::string body = noise(300'000);

  EXPECT_EQ(post("gzip", gzip(body)).response.body, "POST /echo " + body);
}

TEST_F(ContentCodings, an_unknown_coding_is_415_with_the_known_ones) {
  const ResponseRecord record = post("zstd", "hello");

  EXPECT_EQ(record.head.status, 415);
  EXPECT_EQ(record.response.headers.find("Accept-Encoding"), "gzip, deflate, br");
}

TEST_F(ContentCodings, corrupt_content_is_400) {
  std::string wrong_sum = gzip("hello");
  wrong_sum[wrong_sum.size() - 6] ^= 1;

  EXPECT_EQ(post("gzip", gzip("hello").substr(0, 15)).head.status, 400);
  EXPECT_EQ(post("gzip", wrong_sum).head.status, 400);
  EXPECT_EQ(post("gzip", gzip("hello") + "more").head.status, 400);
  EXPECT_EQ(post("gzip", "not gzip at all").head.status, 400);
  EXPECT_EQ(post("br", "\xff\xff\xff\xff").head.status, 400);
}

TEST_F(ContentCodings, content_that_grows_beyond_the_limit_is_413) {
  EXPECT_EQ(post("gzip", gzip(noise(1024 * 1024 + 1))).head.status, 413);
}

TEST_F(ContentCodings, a_repetitive_body_is_accepted) {
  EXPECT_EQ(post("gzip", gzip(std::string(900'000, 'a'))).head.status, 200);
}

TEST(LargeContent, content_that_grows_by_more_than_the_ratio_is_413) {
  ListenerOptions options;
  options.limits.body_bytes = std::size_t{16} * 1024 * 1024;
  RunningListener listener(options);
  const std::string body = gzip(std::string(4'000'000, 'a'));
  Client client(listener.port());
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);

  const ResponseRecord record = client.read_response();

  EXPECT_EQ(record.head.status, 413);
  EXPECT_THAT(record.response.body, ::testing::HasSubstr("PAYLOAD_TOO_LARGE"));
  EXPECT_EQ(testing::status_of_fresh_request(listener.port()), 200);
}

TEST_F(ContentCodings, chunked_and_compressed_content_is_decoded_in_order) {
  const std::string body = gzip("hello");
  Client client(listener_.port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
      "Transfer-Encoding: chunked\r\n\r\na\r\n" +
      body.substr(0, 10) + "\r\n");
  constexpr std::string_view kHex = "0123456789abcdef";
  const std::size_t rest = body.size() - 10;
  client.send(std::string{kHex[rest / 16], kHex[rest % 16]} + "\r\n" + body.substr(10) +
              "\r\n0\r\n\r\n");

  EXPECT_EQ(client.read_response().response.body, "POST /echo hello");
}

}  // namespace mock_server::transport
