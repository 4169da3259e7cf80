// The messages of the program when it speaks TLS.

#include "mock_server/transport/tests/support/certificate.hpp"
#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace mock_server::program {
namespace {

using nlohmann::json;
using transport::testing::Certificate;
using transport::testing::Client;
using transport::testing::port_in;
using transport::testing::Process;

// The URL that the exported journal has for a first request, made over TLS or not.
std::string exported_url(const std::vector<std::string>& flags, bool with_tls) {
  std::vector<std::string> words{test_paths::mock_server(), "--port", "0"};
  words.insert(words.end(), flags.begin(), flags.end());
  Process server(words);
  Client client(port_in(server.line()));
  if (with_tls && !client.start_tls()) {
    return "no TLS";
  }
  client.send("GET /customers/customer_id HTTP/1.1\r\nHost: pay.localhost\r\n\r\n");
  client.read_response();
  client.send("GET /_mock/requests/export HTTP/1.1\r\nHost: pay.localhost\r\n\r\n");
  const json archive = json::parse(client.read_response().response.body, nullptr, false);
  return archive.at("log").at("entries").at(0).at("request").at("url");
}

TEST(Archive, has_the_scheme_that_requests_came_by) {
  const Certificate certificate;

  EXPECT_EQ(exported_url({}, false), "http://pay.localhost/customers/customer_id");
  EXPECT_EQ(exported_url(
                {"--tls-cert", certificate.certificate_file(), "--tls-key", certificate.key_file()},
                true),
            "https://pay.localhost/customers/customer_id");
}

}  // namespace
}  // namespace mock_server::program
