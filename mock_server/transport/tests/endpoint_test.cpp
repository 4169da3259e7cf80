// The addresses at which a listener can listen, and the errors for others.

#include "mock_server/transport/acceptor.hpp"
#include "mock_server/transport/tests/support/certificate.hpp"
#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"
#include "spec/load_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace mock_server::transport {

namespace {

using testing::Client;
using testing::RunningListener;

std::string problem_of(const ListenerOptions& options) {
  try {
    const Listener listener(options, testing::handler());
  } catch (const spec::LoadError& error) {
    EXPECT_EQ(error.problems().size(), 1U);
    return error.what();
  }
  return "";
}

std::string problem_at(const std::string& host, int port) {
  ListenerOptions options;
  options.host = host;
  options.port = port;
  return problem_of(options);
}

std::filesystem::path socket_path() {
  return std::filesystem::temp_directory_path() /
         ("counterpart-" + std::to_string(getpid()) + ".sock");
}

}  // namespace

TEST(Endpoint, says_what_to_do_if_the_port_is_in_use) {
  const Endpoint taken("127.0.0.1", 0);

  EXPECT_EQ(
      problem_at("127.0.0.1", taken.port()),
      "port " + std::to_string(taken.port()) +
          " on 127.0.0.1 is in use; choose another with --port, or --port 0 for any free port");
}

TEST(Endpoint, says_what_is_wrong_with_a_host) {
  EXPECT_THAT(problem_at("no-such-host.invalid", 0),
              ::testing::StartsWith("--host: \"no-such-host.invalid\" is not an address or name"));
  EXPECT_THAT(problem_at("192.0.2.1", 0),
              ::testing::StartsWith("--host: cannot listen at port 0 on 192.0.2.1: "));
  EXPECT_EQ(problem_at("127.0.0.1", 65'536), "--port: must be 0 to 65535, but is 65536");
}

TEST(Endpoint, chooses_a_free_port_and_reports_it) {
  const Endpoint first("127.0.0.1", 0);
  const Endpoint second("localhost", 0);

  EXPECT_GT(first.port(), 0);
  EXPECT_NE(first.port(), second.port());
  EXPECT_EQ(first.url(false), "http://127.0.0.1:" + std::to_string(first.port()));
  EXPECT_EQ(second.url(true), "https://localhost:" + std::to_string(second.port()));
}

TEST(Endpoint, listens_on_ipv6) {
  const Endpoint endpoint("::1", 0);

  EXPECT_EQ(endpoint.url(false), "http://[::1]:" + std::to_string(endpoint.port()));
}

TEST(Endpoint, binds_again_at_once_after_connections_were_cut) {
  const int port = [] {
    RunningListener listener;
    EXPECT_EQ(testing::status_of_fresh_request(listener.port()), 200);
    return listener.port();
  }();

  EXPECT_EQ(problem_at("127.0.0.1", port), "");
}

TEST(Endpoint, serves_on_a_unix_socket_and_removes_its_file) {
  const std::filesystem::path path = socket_path();
  ListenerOptions options;
  options.host = "unix:" + path.string();
  {
    RunningListener listener(options);
    EXPECT_EQ(listener.listener().url(), "unix:" + path.string());
    EXPECT_EQ(listener.port(), 0);
    Client client(path.string());
    client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n");

    EXPECT_EQ(client.read_response().response.body, "GET /echo");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Endpoint, replaces_a_unix_socket_without_a_server) {
  const std::filesystem::path path = socket_path();
  {
    const Endpoint left_behind("unix:" + path.string(), 0);
    std::filesystem::create_hard_link(path, path.string() + ".kept");
  }
  std::filesystem::rename(path.string() + ".kept", path);

  EXPECT_EQ(problem_at("unix:" + path.string(), 0), "");
}

TEST(Endpoint, does_not_replace_other_files_and_sockets_in_use) {
  const std::filesystem::path path = socket_path();
  const Endpoint living("unix:" + path.string(), 0);
  const std::filesystem::path file = path.string() + ".txt";
  std::ofstream(file) << "kept";

  EXPECT_THAT(problem_at("unix:" + path.string(), 0), ::testing::HasSubstr("cannot listen at"));
  EXPECT_THAT(problem_at("unix:" + file.string(), 0), ::testing::HasSubstr("cannot listen at"));
  EXPECT_TRUE(std::filesystem::exists(file));
  std::filesystem::remove(file);
}

TEST(Tls, says_which_file_is_wrong) {
  const testing::Certificate certificate;
  const testing::Certificate other;
  ListenerOptions options;
  options.port = 0;
  options.tls_certificate = "/no/such/file.pem";
  options.tls_key = certificate.key_file();
  EXPECT_THAT(problem_of(options), ::testing::StartsWith("--tls-cert: /no/such/file.pem cannot"));
  EXPECT_THAT(problem_of(options),
              ::testing::EndsWith("No such file or directory; name a PEM file that there is"));

  options.tls_certificate = certificate.certificate_file();
  options.tls_key = certificate.certificate_file();
  EXPECT_THAT(problem_of(options), ::testing::StartsWith("--tls-key: "));

  options.tls_key = other.key_file();
  EXPECT_THAT(problem_of(options), ::testing::HasSubstr("is not the key of"));
}

class TlsListener : public ::testing::Test {
 protected:
  ListenerOptions options() const {
    ListenerOptions options;
    options.tls_certificate = certificate_.certificate_file();
    options.tls_key = certificate_.key_file();
    return options;
  }

  testing::Certificate certificate_;
  RunningListener listener_{options()};
};

TEST_F(TlsListener, speaks_http_1_1_whether_the_client_offers_it_or_nothing) {
  for (const std::string protocols : {"", "\x08http/1.1", "\x02h2\x08http/1.1"}) {
    Client client(listener_.port());
    ASSERT_TRUE(client.start_tls(protocols));
    client.send("GET /echo HTTP/1.1\r\nHost: a\r\n\r\n");

    EXPECT_EQ(client.read_response().response.body, "GET /echo");
  }
}

TEST_F(TlsListener, rejects_a_client_that_offers_only_other_protocols) {
  Client client(listener_.port());

  EXPECT_FALSE(client.start_tls("\x02h2"));
}

TEST_F(TlsListener, says_to_a_plain_client_what_is_wrong) {
  Client client(listener_.port());
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

  const auto record = client.read_response();

  EXPECT_EQ(record.head.status, 400);
  EXPECT_THAT(record.response.body, ::testing::HasSubstr("https"));
}

TEST_F(TlsListener, moves_long_bodies_both_ways) {
  const std::string body(500'000, 'b');
  Client client(listener_.port());
  ASSERT_TRUE(client.start_tls());
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n");
  client.send(body);

  EXPECT_EQ(client.read_response().response.body, "POST /echo " + body);
}

}  // namespace mock_server::transport
