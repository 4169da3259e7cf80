#pragma once

// Data that the connections of one loop share. Belongs to the loop's thread; other threads may read
// the counters.

#include "mock_server/reply/memory.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/transport/listener.hpp"
#include "mock_server/transport/transport_clock.hpp"
#include "mock_server/transport/wire_exchange.hpp"
#include "mock_server/transport/workers.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <vector>

namespace mock_server::transport {

class Counter {
 public:
  void add(std::uint64_t count = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }

  void subtract(std::uint64_t count = 1) {
    value_.store(value_.load(std::memory_order_relaxed) - count, std::memory_order_relaxed);
  }

  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

struct Counters {
  Counter open;       // connections now
  Counter opened;     // connections accepted since the start
  Counter requests;   // complete and handed to the service
  Counter rejected;   // by the transport itself: malformed, too large, too slow
  Counter timed_out;  // connections ended by a deadline without a response
  Counter shed;       // connections closed or rejected to make room
  Counter faults;     // responses sent with a fault
  Counter aborted;    // connections that the client aborted
  Counter streams;    // responses now whose bodies grow while they are sent
  Counter bytes_in;
  Counter bytes_out;
};

struct ListenerContext {
  ListenerContext(const ListenerOptions& options_in, const reply::Handler& handler_in)
      : options(options_in),
        limits(options_in.limits),
        handler(handler_in),
        budget(limits.memory_bytes),
        workers(limits, handler, budget),
        blocking(limits, handler, budget, {options.blocking_threads, options.blocking_waiting}) {}

  const ListenerOptions& options;
  const Limits& limits;
  const reply::Handler& handler;
  reply::MemoryBudget budget;
  Workers workers;   // after the budget: what waits for a worker is charged to it
  Workers blocking;  // for requests that may wait for another server
};

struct LoopContext {
  explicit LoopContext(ListenerContext& shared_in);

  ListenerContext& shared;
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
