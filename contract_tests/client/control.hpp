#pragma once

// Finds out whether a server is the mock. Uses cpp-httplib, whose timeouts apply to each read: a
// server that sends its head byte by byte can take longer.

#include "contract_tests/client/connection.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace contract_tests::client {

struct ControlOptions {
  std::string ca_file;
  std::chrono::milliseconds timeout{5'000};
};

// The health of the mock.
struct MockHealth {
  bool takes_any_token = false;  // it was started without tokens
  bool keeps_records = false;    // it has collections, of fixtures or inferred
  std::string upstream;          // the service that it passes requests on to; "" for none
  std::string state;             // where it keeps its state beyond its own memory; "" for nowhere

  // What is sent to it has no effect but in its own memory.
  bool is_alone() const { return upstream.empty() && state.empty(); }
};

// Asks `url` for GET /_mock/health; nothing when it is not Counterpart's mock, or is behind TLS and
// a proxy that requires credentials.
std::optional<MockHealth> mock_health(const BaseUrl& url, const ControlOptions& options = {});

}  // namespace contract_tests::client
