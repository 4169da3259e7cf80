#include "spec/net/base_url.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace spec::net {
namespace {

struct Route {
  std::string name;
  bool tls;
  std::string host;
  ProxyEnvironment environment;
  std::string by;  // authority and credentials of the proxy; "" goes straight
};

using RouteOf = tests::RowTest;

TEST_P(RouteOf, follows_the_environment) {
  const Route& route = GetParam();

  const auto found = proxy_for(route.tls, route.host, route.tls ? 443 : 80, route.environment);

  ASSERT_TRUE(found);
  const auto& proxy = found.value();
  const auto shown =
      proxy ? proxy->authority() + (proxy->authorization.empty() ? "" : ' ' + proxy->authorization)
            : std::string();
  EXPECT_EQ(shown, route.by);
}

const ProxyEnvironment kBoth{.http = "http://plain:3128", .https = "http://safe:3129/", .none = ""};

ProxyEnvironment but(std::string none) {
  auto environment = kBoth;
  environment.none = std::move(none);
  return environment;
}

const std::vector<Route> kProxyRouteOf = {
    {"none", true, "pay.example", {}, ""},
    {"of_http", false, "pay.example", kBoth, "plain:3128"},
    {"of_https", true, "pay.example", kBoth, "safe:3129"},
    {"never_for_loopback", false, "127.0.0.1", kBoth, ""},
    {"never_for_localhost", true, "localhost", kBoth, ""},
    {"without_scheme", false, "pay.example", {.http = "box:1"}, "box:1"},
    {"without_port", false, "pay.example", {.http = "http://box"}, "box:80"},
    {"address", false, "pay.example", {.http = "http://[::2]:8"}, "[::2]:8"},
    {"credentials",
     false,
     "pay.example",
     {.http = "http://me:w%40rd@box:1"},
     "box:1 Basic bWU6d0ByZA=="},
    {"not_all", true, "pay.example", but("*"), ""},
    {"not_this", true, "pay.example", but("other.example, PAY.example"), ""},
    {"not_below", true, "eu.pay.example", but("pay.example"), ""},
    {"not_below_with_point", true, "eu.pay.example", but(".pay.example"), ""},
    {"not_below_with_star", true, "eu.pay.example", but("*.pay.example"), ""},
    {"not_this_port", true, "pay.example", but("pay.example:443"), ""},
    {"but_this_port", true, "pay.example", but("pay.example:444"), "safe:3129"},
    {"but_a_longer_name", true, "repay.example", but("pay.example"), "safe:3129"}};

INSTANTIATE_TEST_SUITE_P(Proxy, RouteOf, testing::ValuesIn(tests::rows(kProxyRouteOf)),
                         tests::kRowNames);

class NoProxy : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(NoProxy, is_rejected_without_showing_it) {
  const auto found = proxy_for(true, "pay.example", 443, {.https = GetParam().second});

  ASSERT_FALSE(found);
  EXPECT_THAT(found.error(), testing::HasSubstr("HTTPS_PROXY must be http://"));
  EXPECT_THAT(found.error(), testing::Not(testing::HasSubstr("word")));
}

INSTANTIATE_TEST_SUITE_P(Proxy, NoProxy,
                         testing::Values(std::pair("socks", "socks5://me:word@box:1"),
                                         std::pair("tls", "https://me:word@box:1"),
                                         std::pair("port", "http://me:word@box:0"),
                                         std::pair("letters", "http://me:word@box:x"),
                                         std::pair("nobody", "http://me:word@:1")),
                         [](const auto& entry) { return std::string(entry.param.first); });

}  // namespace
}  // namespace spec::net
