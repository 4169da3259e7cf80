#pragma once

// Waiting for what another thread does.

#include <chrono>
#include <thread>

namespace mock_server::transport::testing {

// Waits until `condition` holds, for ten seconds at most.
template <typename Condition>
bool eventually(Condition condition) {
  for (int at = 0; at < 1'000; ++at) {
    if (condition()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace mock_server::transport::testing
