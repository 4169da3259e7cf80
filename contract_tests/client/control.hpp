#pragma once

// Finds out whether a server is the mock.

#include "contract_tests/client/connection.hpp"

#include <chrono>
#include <optional>

namespace contract_tests::client {

// The health of the mock.
struct MockHealth {
  bool takes_any_token = false;  // it was started without tokens
};

// Asks `url` for GET /_mock/health, for no longer than `timeout`; nothing when it is not
// Counterpart's mock.
std::optional<MockHealth> mock_health(
    const BaseUrl& url, const Trust& trust,
    std::chrono::milliseconds timeout = std::chrono::milliseconds(5'000));

}  // namespace contract_tests::client
