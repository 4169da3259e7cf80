#pragma once

// Control calls, which validate nothing: is a server the mock. By cpp-httplib, whose waits are
// bounded one by one: a server that sends a head slowly enough, byte by byte, is waited for longer.

#include "contract_tests/client/base_url.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace contract_tests::client {

struct ControlOptions {
  std::string ca_file;
  std::chrono::milliseconds timeout{5'000};
};

// What the mock says of itself.
struct MockHealth {
  bool takes_any_token = false;  // no token is unknown to it
};

// The health of Counterpart's own mock at `url`: GET /_mock/health says so. Nothing for any other
// server.
std::optional<MockHealth> mock_health(const BaseUrl& url, const ControlOptions& options = {});

}  // namespace contract_tests::client
