#include "contract_tests/client/control.hpp"

#include "spec/json/read.hpp"

#include <httplib.h>
#include <nlohmann/json.hpp>

#include <cstddef>

namespace contract_tests::client {

namespace {

httplib::Client caller(const BaseUrl& url, const ControlOptions& options) {
  httplib::Client client((url.tls ? "https://" : "http://") + url.authority());
  client.set_connection_timeout(options.timeout);
  client.set_read_timeout(options.timeout);
  client.set_tcp_nodelay(true);
  if (url.proxy) {
    client.set_proxy(url.proxy->host, url.proxy->port);
  }
  if (!options.ca_file.empty()) {
    client.set_ca_cert_path(options.ca_file);
  }
  return client;
}

// Through a tunnel, the server would get the proxy's credentials, too.
httplib::Headers headers_for(const BaseUrl& url) {
  const bool is_by_proxy = url.proxy && !url.tls && !url.proxy->authorization.empty();
  return is_by_proxy ? httplib::Headers{{"Proxy-Authorization", url.proxy->authorization}}
                     : httplib::Headers{};
}

// A mock that does not say what requests to it reach may pass them on.
constexpr const char* kNotSaid = "which GET /_mock/health does not name";

std::string text_of(const nlohmann::json& object, const char* member) {
  const auto found = object.is_object() ? object.find(member) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : kNotSaid;
}

std::string upstream_of(const nlohmann::json& health) {
  const auto found = health.find("upstream");
  if (found == health.end()) {
    return kNotSaid;
  }
  return found->is_null() ? "" : text_of(*found, "url") + ", mode " + text_of(*found, "mode");
}

std::string state_of(const nlohmann::json& health) {
  const auto found = health.find("state");
  const auto kind = found == health.end() ? kNotSaid : text_of(*found, "kind");
  return kind == "memory" ? "" : kind;
}

}  // namespace

// Another server may send a body slowly or without end: it is cut at the time limit and at 64 KiB.
std::optional<MockHealth> mock_health(const BaseUrl& url, const ControlOptions& options) {
  constexpr std::size_t kMaxLength = 64U * 1024;
  const auto latest = std::chrono::steady_clock::now() + options.timeout;
  std::string body;
  const auto response =
      caller(url, options)
          .Get("/_mock/health", headers_for(url), [&](const char* bytes, std::size_t size) {
            body.append(bytes, size);
            return body.size() <= kMaxLength && std::chrono::steady_clock::now() < latest;
          });
  if (!response || response->status != 200) {
    return std::nullopt;
  }
  const auto health = spec::json::read(body);
  const auto says = [&health](const char* member, const char* word) {
    const auto found = health->find(member);
    return found != health->end() && *found == word;
  };
  if (!health || !health->is_object() || !says("service", "counterpart")) {
    return std::nullopt;
  }
  const auto records = health->find("records");
  const bool has_collections =
      records != health->end() && records->is_object() && !records->empty();
  return MockHealth{.takes_any_token = says("credentials", "any"),
                    .keeps_records = has_collections,
                    .upstream = upstream_of(*health),
                    .state = state_of(*health)};
}

}  // namespace contract_tests::client
