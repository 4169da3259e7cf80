#pragma once

// What all loops of one listener share: limits, the service, the workers and a budget of memory.
// Safe from any thread.

#include "mock_server/service/reply.hpp"
#include "mock_server/transport/listener.hpp"
#include "mock_server/transport/workers.hpp"

#include <atomic>
#include <cstddef>

namespace mock_server::transport {

// How much memory the long bodies of all connections together hold. A guide rather than a fence:
// who takes asks first, and two may ask at once.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}

  void change(std::size_t before, std::size_t after) { used_.fetch_add(after - before); }

  bool has_room_for(std::size_t more) const { return used_.load() + more <= limit_; }

  std::size_t used() const { return used_.load(); }

 private:
  const std::size_t limit_;
  std::atomic<std::size_t> used_{0};
};

struct Shared {
  Shared(const ListenerOptions& options_in, const service::Handler& handler_in)
      : options(options_in),
        limits(options_in.limits),
        handler(handler_in),
        workers(limits, handler),
        budget(limits.memory_bytes) {}

  const ListenerOptions& options;
  const Limits& limits;
  const service::Handler& handler;
  Workers workers;
  MemoryBudget budget;
};

}  // namespace mock_server::transport
