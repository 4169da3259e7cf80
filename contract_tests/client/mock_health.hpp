#pragma once

// Finds out whether a server is the mock.

#include "contract_tests/client/client.hpp"

#include <optional>
#include <string>

namespace contract_tests::client {

// The health of the mock.
struct MockHealth {
  bool takes_any_token = false;  // it was started without tokens
  bool keeps_records = false;    // it has collections, of fixtures or inferred
  std::string upstream;          // the service that it passes requests on to; "" for none
  std::string state;             // where it keeps its state beyond its own memory; "" for nowhere

  // A request to it changes nothing but its own memory.
  bool is_alone() const { return upstream.empty() && state.empty(); }
};

// Asks any server for GET /_mock/health, until `latest`; empty if it is not Counterpart's mock.
std::optional<MockHealth> mock_health(const BaseUrl& url, const Trust& trust, Deadline latest);

// The same of the mock that the suite started, by cpp-httplib, whose client has no limit on the
// head of a response: it may speak to no other server.
std::optional<MockHealth> health_of_own_mock(const BaseUrl& url);

}  // namespace contract_tests::client
