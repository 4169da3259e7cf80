#pragma once

// Faults: how the bytes of a response are changed, cut and delayed, as a script that a connection
// follows. Knows no sockets, so plain and TLS connections behave alike.

#include "mock_server/reply/reply.hpp"
#include "mock_server/transport/listener.hpp"
#include "mock_server/transport/transport_clock.hpp"
#include "mock_server/transport/wire_response.hpp"

#include <cstddef>
#include <string>

namespace mock_server::transport {

// Play: `first` bytes at once, then `piece` bytes every `interval`, then `ending`.
struct Script {
  enum class Ending {
    kGoOn,   // continue with the next request
    kClose,  // orderly
    kReset,
    kHoldThenClose,
    kHoldThenReset
  };
  std::string bytes;
  std::size_t sent = 0;
  std::size_t first = 0;
  std::size_t piece = 0;
  Milliseconds interval{0};
  Ending ending = Ending::kGoOn;
  Milliseconds hold{0};
};

// Precondition: the response's fault is not kNone. Faults of a body become a reset where the
// response has none.
Script make_script(WireResponse&& wire, const Limits& limits);

}  // namespace mock_server::transport
