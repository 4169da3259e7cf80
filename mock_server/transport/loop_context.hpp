#pragma once

// What the connections of one loop share. Belongs to the loop's thread; other threads may read the
// counters.

#include "mock_server/transport/clock.hpp"
#include "mock_server/transport/counters.hpp"
#include "mock_server/transport/exchange.hpp"
#include "mock_server/transport/shared.hpp"

#include <functional>
#include <list>
#include <vector>

namespace mock_server::transport {

struct LoopContext {
  explicit LoopContext(Shared& shared_in);

  Shared& shared;
  const Limits& limits;
  const spec::http::RequestLimits request_limits;
  ExchangePool exchanges;
  Counters counters;
  DateText date;
  std::vector<char> buffer;          // what was read last, of whichever connection
  std::vector<ConnectionId> turns;   // they stopped in the middle to let others go first
  std::vector<ConnectionId> unsent;  // they have something to send, with that of others
  Time now = SteadyClock::now();
  bool draining = false;
  std::function<void(std::list<WorkResult>)> hand_back;  // what a worker did, from its thread
  int epoll = -1;

  // Calls on_awaited() of the connection once when `descriptor` can be read; false if it cannot.
  bool watch(int descriptor, ConnectionId id) const;
};

}  // namespace mock_server::transport
