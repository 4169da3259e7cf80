// Services that behave badly, over real sockets: what is passed on, and why not.

#include "mock_server/upstream/gateway.hpp"

#include "mock_server/upstream/proxy_fields.hpp"
#include "mock_server/upstream/tests/stand_in.hpp"
#include "mock_server/upstream/upstream_settings.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

namespace mock_server::upstream {
namespace {

using testing::End;
using ::testing::HasSubstr;
using testing::StandIn;

spec::Result<UpstreamResponse, Failure> send(Gateway& gateway, const spec::net::BaseUrl& url,
                                             const spec::http::Request& request,
                                             std::optional<Exchange> begun = std::nullopt) {
  auto response = gateway.send(url, request, begun, false);
  if (!response) {
    return spec::Unexpected{response.error()};
  }
  return std::move(**response);
}

spec::Result<UpstreamResponse, Failure> ask(Gateway& gateway, const std::string& url) {
  const auto parsed = parse_url(url);
  return send(gateway, *parsed, to_service({"GET", "/", {}, ""}, "/", parsed->authority(), "us"));
}

GatewayOptions quick() {
  GatewayOptions options;
  options.exchange.wait = std::chrono::milliseconds(300);
  return options;
}

struct Bad {
  std::string name;
  std::string bytes;
  End end;
  FailureKind kind;
  std::string says;
};

using BadService = spec::tests::RowTest;

}  // namespace

TEST_P(BadService, is_not_passed_on) {
  const Bad& row = GetParam();

  const StandIn service({row.bytes, row.end});
  Gateway gateway(quick());

  const auto response = ask(gateway, service.url());

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, row.kind);
  EXPECT_THAT(response.error().message, HasSubstr(row.says));
}

const std::vector<Bad> kGatewayBadService = {
    {"two_lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
     End::kHold, FailureKind::kUnreadable, "contradictory Content-Length"},
    {"length_and_coding",
     "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
     End::kHold, FailureKind::kUnreadable, "Content-Length beside Transfer-Encoding"},
    {"control_character", "HTTP/1.1 200 OK\r\nA: \x01\r\nContent-Length: 0\r\n\r\n", End::kHold,
     FailureKind::kUnreadable, "control character"},
    {"folded_line", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n", End::kHold,
     FailureKind::kUnreadable, "folded"},
    {"switches_protocols", "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n", End::kHold,
     FailureKind::kUnreadable, "switches protocols"},
    {"cut_body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", End::kClose,
     FailureKind::kUnreadable, "6 bytes of 9 are missing"},
    {"says_nothing", "", End::kHold, FailureKind::kTimeout, "sent nothing for 300 ms"},
    {"stalls", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", End::kHold, FailureKind::kTimeout,
     "sent nothing for 300 ms"},
    {"resets", "", End::kReset, FailureKind::kUnreadable, "without a response"},
    {"is_not_http", "SSH-2.0-OpenSSH_9\r\n", End::kClose, FailureKind::kUnreadable,
     "cannot be passed on"}};

INSTANTIATE_TEST_SUITE_P(Gateway, BadService,
                         ::testing::ValuesIn(spec::tests::rows(kGatewayBadService)),
                         spec::tests::kRowNames);

TEST(Gateway, passes_on_103_trailers_and_what_looks_encoded) {
  const StandIn service(
      {"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 302 Elsewhere\r\nLocation: /%41\r\n"
       "Empty:\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n"});
  Gateway gateway(quick());

  const auto response = ask(gateway, service.url());

  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->interim.at(0).status, 103);
  EXPECT_EQ(response->response.status, 302);
  EXPECT_EQ(response->response.reason, "Elsewhere");
  EXPECT_EQ(response->response.headers, (spec::http::Headers{{"Location", "/%41"}, {"Empty", ""}}));
  EXPECT_EQ(response->response.body, "abc");
}

// The service closes a kept connection when the next request comes. `at_once`: by begin().
class ClosedConnection : public ::testing::TestWithParam<bool> {
 protected:
  spec::Result<UpstreamResponse, Failure> ask_again(const std::string& method) {
    const auto url = parse_url(service_.url());
    EXPECT_TRUE(ask(gateway_, service_.url()));
    const auto request = to_service({method, "/", {}, ""}, "/", url->authority(), "us");
    if (!GetParam()) {
      return send(gateway_, *url, request);
    }
    auto begun = gateway_.begin(*url, request);
    EXPECT_TRUE(begun.has_value());
    return send(gateway_, *url, request, std::move(begun));
  }

  const StandIn service_{{"", End::kClose, 0, "HTTP/1.1 204 Fine\r\n\r\n"}};
  Gateway gateway_{quick()};
};

TEST_P(ClosedConnection, is_replaced_for_a_request_that_may_be_repeated) {
  const auto response = ask_again("GET");

  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(service_.requests(), 3U);
}

TEST_P(ClosedConnection, fails_a_request_that_must_not_be_repeated) {
  const auto response = ask_again("POST");

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, FailureKind::kUnreadable);
  EXPECT_EQ(service_.requests(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Gateway, ClosedConnection, ::testing::Bool(), [](const auto& one) {
  return std::string(one.param ? "at_once" : "waiting");
});

TEST(Gateway, begins_nothing_without_a_kept_connection) {
  const StandIn service({"HTTP/1.1 204 Fine\r\n\r\n"});
  Gateway gateway(quick());
  const auto url = parse_url(service.url());

  EXPECT_FALSE(gateway.begin(*url, to_service({"GET", "/", {}, ""}, "/", url->authority(), "us")));
  EXPECT_EQ(service.requests(), 0U);
}

TEST(Gateway, leaves_the_waiting_when_the_request_is_sent) {
  const StandIn service({""});
  Gateway gateway(quick());
  const auto url = parse_url(service.url());
  std::optional<Exchange> exchange;

  const auto response = gateway.send(
      *url, to_service({"GET", "/", {}, ""}, "/", url->authority(), "us"), exchange, true);

  ASSERT_TRUE(response);
  EXPECT_FALSE(*response);
  EXPECT_FALSE(exchange->is_done());
}

TEST(Gateway, streams_a_long_body_in_bounded_parts) {
  constexpr std::size_t kBytes = 20'000'000;
  const StandIn service(
      {"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kBytes) + "\r\n\r\n", End::kHold,
       kBytes});
  GatewayOptions options;
  Gateway gateway(options);

  const auto response = ask(gateway, service.url());

  ASSERT_TRUE(response) << response.error().message;
  ASSERT_TRUE(response->rest);
  std::size_t total = 0;
  std::size_t longest = 0;
  for (auto growth = reply::Growth::kHasMore; growth != reply::Growth::kEnded;) {
    std::string part;
    growth = response->rest(part);
    total += part.size();
    longest = std::max(longest, part.size());
  }
  EXPECT_EQ(total, kBytes);
  EXPECT_LT(longest, 3U * 1024 * 1024);
}

// More than a connection takes while the peer reads nothing.
spec::http::Request long_request() {
  return {"POST", "/", {}, std::string(40'000'000, 'b')};
}

struct EarlyError {
  std::string name;
  End end;
};

using EarlyErrors = spec::tests::RowTest;

TEST_P(EarlyErrors, are_taken_before_the_body_is_sent) {
  const EarlyError& row = GetParam();

  const StandIn service(
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Large\r\nContent-Length: 1\r\n\r\nx", row.end});
  const GatewayOptions options{};
  Gateway gateway(options);
  const auto url = parse_url(service.url());
  const auto sent = to_service(long_request(), "/", url->authority(), "us");

  const auto began = std::chrono::steady_clock::now();
  const auto response = send(gateway, *url, sent);
  const auto took = std::chrono::steady_clock::now() - began;

  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->response.status, 413);
  EXPECT_LT(took, options.exchange.wait / 2);
  EXPECT_FALSE(gateway.begin(*url, sent));
}

const std::vector<EarlyError> kEarlyErrors = {
    {"held", End::kDeaf}, {"closed", End::kClose}, {"reset", End::kReset}};

INSTANTIATE_TEST_SUITE_P(Gateway, EarlyErrors, ::testing::ValuesIn(spec::tests::rows(kEarlyErrors)),
                         spec::tests::kRowNames);

TEST(Gateway, sends_the_rest_of_a_body_after_an_early_success) {
  const StandIn service({"", End::kHold, 0, "HTTP/1.1 202 Taken\r\nContent-Length: 0\r\n\r\n"});
  Gateway gateway({});
  const auto url = parse_url(service.url());

  const auto response =
      send(gateway, *url, to_service(long_request(), "/", url->authority(), "us"));

  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->response.status, 202);
  EXPECT_TRUE(gateway.begin(*url, to_service({"GET", "/", {}, ""}, "/", url->authority(), "us")));
}

TEST(Gateway, says_that_nobody_listens) {
  Gateway gateway(quick());

  const auto response = ask(gateway, "http://127.0.0.1:" + std::to_string(testing::free_port()));

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, FailureKind::kConnect);
}

}  // namespace mock_server::upstream
