#include "contract_tests/client/control.hpp"

#include "contract_tests/client/client.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>

namespace contract_tests::client {

// Another server may send a body slowly or without end: it is cut at the time limit and at 64 KiB.
std::optional<MockHealth> mock_health(const BaseUrl& url, const Trust& trust,
                                      std::chrono::milliseconds timeout) {
  constexpr std::size_t kMaxBytes = 64U * 1024;
  ClientLimits limits{.connect = timeout, .first_byte = timeout, .whole = timeout};
  limits.response.body_bytes = kMaxBytes;
  const auto exchange = Client(url, trust, limits).send({"GET", "/_mock/health", {}, ""});
  if (!exchange.whole() || exchange.status() != 200) {
    return std::nullopt;
  }
  const auto health = spec::json::read(exchange.response.body);
  const auto says = [&health](const char* member, const char* word) {
    const auto found = health->find(member);
    return found != health->end() && *found == word;
  };
  if (!health || !health->is_object() || !says("service", "counterpart")) {
    return std::nullopt;
  }
  return MockHealth{.takes_any_token = says("credentials", "any")};
}

}  // namespace contract_tests::client
