#include "contract_tests/client/mock_health.hpp"

#include "contract_tests/client/client.hpp"
#include "spec/json/read.hpp"

#include <httplib.h>
#include <nlohmann/json.hpp>

#include <string>

namespace contract_tests::client {

namespace {

constexpr const char* kHealth = "/_mock/health";

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

std::optional<MockHealth> health_in(int status, const std::string& body) {
  constexpr int kOk = 200;
  const auto health = spec::json::read(status == kOk ? body : "");
  if (!health || text_of(*health, "service") != "counterpart") {
    return std::nullopt;
  }
  const auto has_collections = [&health](const char* member) {
    const auto found = health->find(member);
    return found != health->end() && found->is_object() && !found->empty();
  };
  return MockHealth{
      .takes_any_token = text_of(*health, "credentials") == "any",
      .keeps_records = has_collections("records") || has_collections("planned_records"),
      .upstream = upstream_of(*health),
      .state = state_of(*health)};
}

}  // namespace

std::optional<MockHealth> mock_health(const BaseUrl& url, const Trust& trust, Deadline latest) {
  Client client(url, trust, {.response = {.body_bytes = 64U * 1024}});
  const auto exchange = client.send({"GET", kHealth, {}, ""}, {.latest = latest});
  return health_in(exchange.is_complete() ? exchange.status() : 0, exchange.response.body);
}

std::optional<MockHealth> health_of_own_mock(const BaseUrl& url) {
  httplib::Client client(url.text());
  client.set_tcp_nodelay(true);
  const auto response = client.Get(kHealth);
  return response ? health_in(response->status, response->body) : std::nullopt;
}

}  // namespace contract_tests::client
