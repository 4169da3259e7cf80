// The transport beside a client that is not ours: cpp-httplib's.

#include "mock_server/transport/tests/support/certificate.hpp"
#include "mock_server/transport/tests/support/running_listener.hpp"

#include <gmock/gmock.h>
#include <httplib.h>

#include <string>

namespace mock_server::transport {

namespace {

using testing::Certificate;
using testing::RunningListener;

constexpr std::size_t kPeerBody = 300'000;

void expect_served(httplib::Client& client) {
  client.set_keep_alive(true);
  const auto get = client.Get("/echo/a");
  const auto head = client.Head("/bytes/300000");
  const auto post = client.Post("/echo", std::string(kPeerBody, 'b'), "text/plain");
  const auto chunked = client.Post(
      "/echo",
      [](std::size_t offset, httplib::DataSink& sink) {
        sink.write("piece;", 6);
        if (offset > 0) {
          sink.done();
        }
        return true;
      },
      "text/plain");
  const auto closed = client.Get("/close");
  const auto afterwards = client.Get("/bytes/300000");

  ASSERT_TRUE(get && head && post && chunked && closed && afterwards);
  EXPECT_EQ(get->body, "GET /echo/a");
  EXPECT_EQ(head->get_header_value("Content-Length"), "300000");
  EXPECT_EQ(head->body, "");
  EXPECT_EQ(post->body, "POST /echo " + std::string(kPeerBody, 'b'));
  EXPECT_EQ(chunked->body, "POST /echo piece;piece;");
  EXPECT_EQ(closed->get_header_value("Connection"), "close");
  EXPECT_EQ(afterwards->body.size(), kPeerBody);
}

}  // namespace

TEST(Peer, is_served_on_connections_that_stay_and_that_end) {
  const RunningListener listener;
  httplib::Client client("127.0.0.1", listener.port());

  expect_served(client);

  EXPECT_EQ(listener.counter("requests"), 6U);
  EXPECT_EQ(listener.counter("opened"), 2U);
}

TEST(Peer, is_served_with_tls) {
  const Certificate certificate;
  ListenerOptions options;
  options.tls_certificate = certificate.certificate_file();
  options.tls_key = certificate.key_file();
  const RunningListener listener(options);
  httplib::Client client("https://localhost:" + std::to_string(listener.port()));
  client.set_ca_cert_path(certificate.certificate_file());

  expect_served(client);
}

}  // namespace mock_server::transport
