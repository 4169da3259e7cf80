#pragma once

// What all loops of one listener share: limits, the service, the workers and a budget of memory.
// Safe from any thread.

#include "mock_server/reply/memory.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/transport/listener.hpp"
#include "mock_server/transport/workers.hpp"

namespace mock_server::transport {

struct Shared {
  Shared(const ListenerOptions& options_in, const reply::Handler& handler_in)
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

}  // namespace mock_server::transport
