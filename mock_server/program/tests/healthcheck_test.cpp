// `mock_server healthcheck URL`: what it asks, what it believes, and its exit codes.

#include "mock_server/program/healthcheck.hpp"

#include "mock_server/transport/tests/support/certificate.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace mock_server::program {
namespace {

using transport::testing::Certificate;
using transport::testing::port_in;
using transport::testing::Process;
using transport::testing::RunningListener;

constexpr std::chrono::seconds kLong{20};

std::string local(int port) {
  return "http://127.0.0.1:" + std::to_string(port);
}

Process healthcheck_of(const std::string& url) {
  return Process({test_paths::mock_server(), "healthcheck", url});
}

// The URL that a new mock prints.
std::string url_in(const std::string& line) {
  return line.substr(line.rfind(' ') + 1);
}

std::string why(const std::string& url, std::chrono::milliseconds time = kLong) {
  return why_not_healthy(parse_health_url(url).value(), time);
}

// A listener whose response to every request is this.
spec::http::Response response_of(int status, std::string body) {
  spec::http::Response response;
  response.status = status;
  response.headers.add("Content-Type", "application/json");
  response.body = std::move(body);
  return response;
}

RunningListener stranger(int status, const std::string& body) {
  return RunningListener({}, [status, body](const spec::http::Request&, const reply::Peer&) {
    return reply::Reply{response_of(status, body), {}};
  });
}

constexpr const char* kNoAuthority =
    "must be http://HOST[:PORT][/PATH] with a port from 1 to 65535";
constexpr const char* kNoPart = "must not contain a query, fragment, user name or space";

struct UrlCase {
  std::string name;
  std::string url;
  std::string said;
};

using HealthUrls = spec::tests::RowTest;

TEST_P(HealthUrls, that_name_no_mock_are_rejected_with_the_reason) {
  const UrlCase& row = GetParam();

  const auto parsed = parse_health_url(row.url);

  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.error(), testing::HasSubstr(": " + row.said + "; write"));
}

const std::vector<UrlCase> kHealthcheckHealthUrls = {
    {"empty", "", "must start with http://, https:// or unix:/"},
    {"no_scheme", "127.0.0.1:4010", "must start with http://, https:// or unix:/"},
    {"other_scheme", "ftp://h", "must start with http://, https:// or unix:/"},
    {"path", "http://h/v1", "must have no path but /_mock/ready"},
    {"port_zero", "http://h:0", kNoAuthority},
    {"port_large", "http://h:65536", kNoAuthority},
    {"port_no_number", "http://h:x", kNoAuthority},
    {"port_missing", "http://h:", kNoAuthority},
    {"no_host", "http://:80", kNoAuthority},
    {"user", "http://a@h:80", kNoPart},
    {"line_break", "http://h\r\nX:1", kNoPart}};

INSTANTIATE_TEST_SUITE_P(Healthcheck, HealthUrls,
                         testing::ValuesIn(spec::tests::rows(kHealthcheckHealthUrls)),
                         spec::tests::kRowNames);

TEST(Healthcheck, reads_hosts_ports_and_sockets) {
  const auto six = parse_health_url("https://[::1]:4010/_mock/ready").value();
  const auto name = parse_health_url("http://mock/").value();
  const auto socket = parse_health_url("unix:/run/mock.sock").value();

  EXPECT_EQ(six.server.text(), "https://[::1]:4010");
  EXPECT_EQ(six.path, "/_mock/ready");
  EXPECT_EQ(name.server.text(), "http://mock");
  EXPECT_EQ(socket.socket, "/run/mock.sock");
}

TEST(Healthcheck, exits_with_0_and_says_nothing_for_a_ready_mock) {
  const Certificate certificate;
  const test_support::Folder folder;
  const std::vector<std::vector<std::string>> ways{
      {"--port", "0", "--control-token", "secret"},
      {"--port", "0", "--host", "::1"},
      {"--host", "unix:" + (folder.path() / "mock.sock").string()},
      {"--port", "0", "--tls-cert", certificate.certificate_file(), "--tls-key",
       certificate.key_file()}};
  for (std::vector<std::string> words : ways) {
    words.insert(words.begin(), test_paths::mock_server());
    Process server(words);
    const std::string url = url_in(server.line());
    Process check = healthcheck_of(url);

    EXPECT_EQ(check.errors(), "") << url;
    EXPECT_EQ(check.end(), 0) << url;
  }
}

TEST(Healthcheck, exits_with_1_and_one_line_where_nothing_listens) {
  int port = 0;
  {
    const RunningListener gone;
    port = gone.port();
  }
  Process check = healthcheck_of(local(port));

  EXPECT_EQ(check.errors(), "mock_server: " + local(port) +
                                " is not healthy: cannot connect to 127.0.0.1:" +
                                std::to_string(port) + ": Connection refused\n");
  EXPECT_EQ(check.end(), 1);
}

TEST(Healthcheck, exits_with_2_for_a_wrong_use) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"mock:4010"}, {"http://h", "http://h"}, {"--wrong"}}) {
    std::vector<std::string> command{test_paths::mock_server(), "healthcheck"};
    command.insert(command.end(), words.begin(), words.end());
    Process check(command);

    EXPECT_THAT(check.errors(), testing::StartsWith("mock_server: "));
    EXPECT_EQ(check.end(), 2);
  }
}

TEST(Healthcheck, believes_only_the_response_of_a_ready_mock) {
  const auto page = stranger(200, "<h1>Welcome</h1>");
  const auto ending = stranger(503, R"({"ready": false, "message": "the mock is shutting down"})");
  const auto other = stranger(404, R"([1])");

  EXPECT_EQ(why(local(page.port())), "the response is status 200 and not that of a mock_server");
  EXPECT_EQ(why(local(ending.port())), "the response is status 503: the mock is shutting down");
  EXPECT_EQ(why(local(other.port())), "the response is status 404 and not that of a mock_server");
}

TEST(Healthcheck, says_that_a_peer_without_http_has_sent_no_response) {
  const RunningListener peer;
  HealthUrl url = parse_health_url(local(peer.port())).value();
  url.path = "/fault/empty";

  EXPECT_EQ(why_not_healthy(url, kLong), "no HTTP response; is it https?");
}

TEST(Healthcheck, waits_no_longer_than_it_may_for_a_silent_peer) {
  const RunningListener silent({}, transport::testing::handler());
  HealthUrl url = parse_health_url(local(silent.port())).value();
  url.path = "/fault/stall";

  EXPECT_EQ(why_not_healthy(url, std::chrono::milliseconds(100)), "no response within 100 ms");
}

TEST(Healthcheck, names_the_other_scheme_where_one_speaks_tls_and_one_does_not) {
  const Certificate certificate;
  transport::ListenerOptions options;
  options.tls_certificate = certificate.certificate_file();
  options.tls_key = certificate.key_file();
  const RunningListener with_tls(options);
  const RunningListener plain;

  EXPECT_EQ(why(local(with_tls.port())),
            "the response is status 400: this port uses TLS: the URL must begin with https");
  EXPECT_EQ(why("https://127.0.0.1:" + std::to_string(plain.port())),
            "the TLS handshake failed; is it http?");
}

}  // namespace
}  // namespace mock_server::program
