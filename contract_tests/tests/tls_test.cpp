// The suite's client over real sockets: TLS with verification, http/1.1 alone offered, forward
// proxies by tunnel and by absolute form. Keys are made here.

#include "contract_tests/client/client.hpp"
#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"
#include "contract_tests/tests/support/tls_server.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

namespace contract_tests {
namespace {

using client::Ending;
using client::Exchange;
using nlohmann::json;
using support::Identity;
using support::IdentityOptions;
using support::ScriptedServer;
using support::TlsServer;
using support::TunnelProxy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Tls : public testing::Test {
 protected:
  Identity signed_for(std::vector<std::string> hosts) const {
    return support::make_identity({.hosts = std::move(hosts)}, authority_);
  }

  // The exchange of GET /customers/cus_1.
  Exchange ask(client::BaseUrl url, bool trusting = true) const {
    const client::Trust trust({trusting ? authority_file_ : ""});
    client::ClientLimits limits;
    limits.connect = std::chrono::seconds(60);
    client::Client client(std::move(url), trust, limits);
    return client.send(request());
  }

  static spec::http::Request request() {
    spec::http::Request request;
    request.method = "GET";
    request.target = "/customers/cus_1";
    return request;
  }

  static client::BaseUrl url_of(const std::string& text, int proxy_port = 0) {
    auto url = client::parse_base_url(text).value();
    if (proxy_port != 0) {
      url.proxy = client::Proxy{"127.0.0.1", proxy_port, "Basic bWU6d29yZA=="};
    }
    return url;
  }

  static client::BaseUrl at(const std::string& host, int port) {
    return url_of("https://" + host + ":" + std::to_string(port));
  }

  Identity authority_ = support::make_identity({.name = "An authority", .authority = true});
  test_support::Folder folder_;
  std::string authority_file_ = folder_.write("ca.pem", authority_.certificate).string();
};

TEST_F(Tls, sends_the_server_name_and_offers_only_http_1_1) {
  const TlsServer server(signed_for({"DNS:localhost"}));

  const auto exchange = ask(at("localhost", server.port()));

  EXPECT_EQ(exchange.status(), 200) << exchange.failure;
  EXPECT_THAT(server.hellos(), ElementsAre(support::Hello{"localhost", {"http/1.1"}, true}));
  EXPECT_THAT(server.received(), ElementsAre(StartsWith("GET /customers/cus_1 HTTP/1.1\r\n")));
}

TEST_F(Tls, sends_no_server_name_for_an_address) {
  const TlsServer server(signed_for({"IP:127.0.0.1"}));

  const auto exchange = ask(at("127.0.0.1", server.port()));

  EXPECT_EQ(exchange.status(), 200) << exchange.failure;
  EXPECT_THAT(server.hellos(), ElementsAre(support::Hello{"", {"http/1.1"}, true}));
}

TEST_F(Tls, reuses_the_connection) {
  const TlsServer server(signed_for({"DNS:localhost"}));
  const client::Trust trust({authority_file_});
  client::Client client(at("localhost", server.port()), trust);

  client.send(request());
  const auto second = client.send(request());

  EXPECT_TRUE(second.reused_connection);
  EXPECT_EQ(second.status(), 200);
  EXPECT_EQ(server.hellos().size(), 1U);
}

struct Distrust {
  std::string name;
  IdentityOptions identity;
  bool by_authority = true;
  bool trusting = true;
  std::string says;
};

void PrintTo(const Distrust& distrust, std::ostream* out) {
  *out << distrust.name;
}

class Untrusted : public Tls, public testing::WithParamInterface<Distrust> {};

TEST_P(Untrusted, is_rejected_before_anything_is_sent) {
  const auto& given = GetParam();
  const TlsServer server(given.by_authority ? support::make_identity(given.identity, authority_)
                                            : support::make_identity(given.identity));

  const auto exchange = ask(at("localhost", server.port()), given.trusting);

  EXPECT_EQ(exchange.ending, Ending::kUntrusted);
  EXPECT_THAT(exchange.failure, HasSubstr("the TLS certificate of localhost"));
  EXPECT_THAT(exchange.failure, HasSubstr(given.says));
  EXPECT_THAT(server.received(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Tls, Untrusted,
    testing::Values(
        Distrust{"signed_by_itself", {.hosts = {"DNS:localhost"}}, false, true, "self-signed"},
        Distrust{"of_an_unknown_authority",
                 {.hosts = {"DNS:localhost"}},
                 true,
                 false,
                 "unable to get local issuer certificate"},
        Distrust{"for_another_host", {.hosts = {"DNS:other.example"}}, true, true, "hostname"},
        Distrust{"for_a_host_below", {.hosts = {"DNS:*.localhost"}}, true, true, "hostname"},
        Distrust{"for_nobody", {}, true, true, "hostname"},
        Distrust{
            "of_yesterday", {.hosts = {"DNS:localhost"}, .days = -1}, true, true, "has expired"}),
    spec::tests::kRowNames);

TEST_F(Tls, ends_in_time_when_the_server_never_responds) {
  const ScriptedServer server({{.steps = json::array({{{"hang", true}}}), .deaf = true}});
  const client::Trust trust;
  client::Client client(at("localhost", server.port()), trust,
                        {.connect = std::chrono::milliseconds(300)});

  const auto exchange = client.send(request());

  EXPECT_EQ(exchange.ending, Ending::kNoConnection);
  EXPECT_THAT(exchange.failure, HasSubstr("took too long"));
}

TEST_F(Tls, port_that_is_tested_by_plain_http_makes_the_run_unusable) {
  const TlsServer server(signed_for({"IP:127.0.0.1"}));
  const auto port = std::to_string(server.port());

  const auto ended =
      support::run_child(test_paths::contract_tests(),
                         {"--base-url", "http://127.0.0.1:" + port, "--token", "t", "--subjects",
                          (support::source_dir() / "fixtures/subjects.yaml").string(),
                          "--gtest_filter=GET_customers*"});

  EXPECT_EQ(ended.exit_code, 2) << ended.out.substr(0, 2000);
  EXPECT_THAT(ended.out,
              HasSubstr("\nthe port speaks TLS: use --base-url https://127.0.0.1:" + port + '\n'));
  EXPECT_THAT(ended.out, HasSubstr(" 0 errors, 0 warnings, 0 notes"));
}

TEST_F(Tls, fails_with_a_server_of_plain_http) {
  const ScriptedServer server(
      {{.steps = json::array({{{"send", "HTTP/1.1 400 Bad Request\r\n\r\n"}}}), .deaf = true}});

  const auto exchange = ask(at("localhost", server.port()));

  EXPECT_EQ(exchange.ending, Ending::kUntrusted);
  EXPECT_THAT(exchange.failure, HasSubstr("the TLS handshake with localhost"));
}

class ByProxy : public Tls {};

TEST_F(ByProxy, https_goes_through_a_tunnel) {
  const TlsServer server(signed_for({"DNS:payments.example"}));
  const TunnelProxy proxy(server.port());

  const auto exchange = ask(url_of("https://payments.example", proxy.port()));

  EXPECT_EQ(exchange.status(), 200) << exchange.failure;
  EXPECT_THAT(proxy.received(),
              ElementsAre("CONNECT payments.example:443 HTTP/1.1\r\nHost: payments.example:443\r\n"
                          "Proxy-Authorization: Basic bWU6d29yZA==\r\n\r\n"));
  EXPECT_THAT(server.hellos(), ElementsAre(support::Hello{"payments.example", {"http/1.1"}, true}));
  ASSERT_EQ(server.received().size(), 1U);
  EXPECT_THAT(server.received().front(), StartsWith("GET /customers/cus_1 HTTP/1.1\r\n"));
  EXPECT_THAT(server.received().front(), Not(HasSubstr("Proxy-")));
}

TEST_F(ByProxy, the_server_behind_a_tunnel_is_verified) {
  const TlsServer server(signed_for({"DNS:other.example"}));
  const TunnelProxy proxy(server.port());

  const auto exchange = ask(url_of("https://payments.example", proxy.port()));

  EXPECT_EQ(exchange.ending, Ending::kUntrusted);
  EXPECT_THAT(exchange.failure, HasSubstr("the TLS certificate of payments.example"));
  EXPECT_THAT(server.received(), IsEmpty());
}

TEST_F(ByProxy, http_uses_the_whole_uri) {
  const ScriptedServer proxy(
      {{.steps = json::array({{{"send", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"}}}),
        .keep = true}});

  const auto exchange = ask(url_of("http://payments.example", proxy.port()));

  EXPECT_EQ(exchange.status(), 200) << exchange.failure;
  ASSERT_EQ(proxy.received().size(), 1U);
  EXPECT_THAT(proxy.received().front(),
              StartsWith("GET http://payments.example/customers/cus_1 HTTP/1.1\r\n"
                         "Proxy-Authorization: Basic bWU6d29yZA==\r\n"));
  EXPECT_THAT(proxy.received().front(), HasSubstr("\r\nHost: payments.example\r\n"));
}

TEST_F(ByProxy, a_request_for_credentials_is_the_proxys_not_the_servers) {
  const ScriptedServer proxy(
      {{.steps = json::array({{{"send",
                                "HTTP/1.1 407 Proxy Authentication Required\r\n"
                                "Proxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"}}}),
        .keep = true}});

  const auto exchange = ask(url_of("http://payments.example", proxy.port()));

  EXPECT_EQ(exchange.ending, Ending::kNoConnection);
  EXPECT_EQ(exchange.status(), 0);
  EXPECT_THAT(exchange.failure, HasSubstr("requires credentials"));
  EXPECT_THAT(exchange.failure, HasSubstr("USER:PASSWORD@ into HTTP_PROXY"));
}

struct Rejection {
  std::string name;
  std::string answer;
  std::string says;
};

void PrintTo(const Rejection& rejection, std::ostream* out) {
  *out << rejection.name;
}

class NoTunnel : public Tls, public testing::WithParamInterface<Rejection> {};

TEST_P(NoTunnel, is_reported_with_what_to_do) {
  const TunnelProxy proxy(0, GetParam().answer);

  const auto exchange = ask(url_of("https://payments.example", proxy.port()));

  EXPECT_EQ(exchange.ending, Ending::kNoConnection);
  EXPECT_THAT(exchange.failure, StartsWith("the proxy 127.0.0.1:" + std::to_string(proxy.port()) +
                                           " opens no tunnel: "));
  EXPECT_THAT(exchange.failure, HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Tls, NoTunnel,
    testing::Values(
        Rejection{"without_credentials", "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
                  "407 Proxy Authentication Required; put USER:PASSWORD@ into HTTPS_PROXY"},
        Rejection{"to_this_host", "HTTP/1.1 403 Forbidden\r\n\r\n",
                  "403 Forbidden; to connect directly, add the server to NO_PROXY"},
        Rejection{"when_the_server_is_away", "HTTP/1.0 502 Bad Gateway\r\n\r\n", "502 Bad Gateway"},
        Rejection{"by_what_is_no_proxy", "SSH-2.0-x\x1b[31m\r\n\r\n", "SSH-2.0-x?[31m"},
        Rejection{"with_half_a_response", "HTTP/1.1 200", "its response is incomplete"},
        Rejection{"with_a_head_without_end", "HTTP/1.1 200 OK\r\nX: " + std::string(20'000, 'x'),
                  "its response is incomplete"}),
    spec::tests::kRowNames);

}  // namespace
}  // namespace contract_tests
