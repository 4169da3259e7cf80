#pragma once

// What the transport counted. Each loop writes its own set and any thread may read it; a set has
// one writer, so no counter needs a locked instruction.

#include <atomic>
#include <cstdint>

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
  Counter rejected;   // answered by the transport itself: malformed, too large, too slow
  Counter timed_out;  // connections ended by a deadline without a response
  Counter shed;       // connections closed or rejected to make room
  Counter faults;     // responses sent with a fault
  Counter aborted;    // connections that the client aborted
  Counter streams;    // responses now whose bodies grow while they are sent
  Counter bytes_in;
  Counter bytes_out;
};

}  // namespace mock_server::transport
