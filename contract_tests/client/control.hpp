#pragma once

// Set-up and control calls, which judge nothing: is a server there, is it the double, put the
// double back. By cpp-httplib.

#include "contract_tests/client/base_url.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace contract_tests::client {

struct ControlOptions {
  std::string ca_file;
  std::chrono::milliseconds timeout{5'000};
};

// What the double says of itself.
struct DoubleHealth {
  bool takes_any_token = false;  // no token is unknown to it
};

// The health of Counterpart's own double at `url`: GET /_mock/health says so. Nothing for any other
// server.
std::optional<DoubleHealth> double_health(const BaseUrl& url, const ControlOptions& options = {});

// Puts every record of the double back. False when it does not say that it did.
bool reset_double(const BaseUrl& url, const ControlOptions& options = {});

}  // namespace contract_tests::client
