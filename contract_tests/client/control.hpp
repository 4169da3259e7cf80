#pragma once

// Control calls, which validate nothing: is a server the mock.

#include "contract_tests/client/base_url.hpp"
#include "contract_tests/client/stream.hpp"

#include <chrono>
#include <optional>

namespace contract_tests::client {

// What the double says of itself.
struct DoubleHealth {
  bool takes_any_token = false;  // no token is unknown to it
};

// The health of Counterpart's own double at `url`: GET /_mock/health says so. Nothing for any other
// server, and for one whose answer is not whole within `timeout` or longer than 64 KiB.
std::optional<DoubleHealth> double_health(
    const BaseUrl& url, const Trust& trust,
    std::chrono::milliseconds timeout = std::chrono::seconds(5));

}  // namespace contract_tests::client
