#pragma once

// Answers spoilt by order: how the bytes of one are changed, cut and paced, as a script that a
// connection plays. Knows no socket, so that plain and TLS connections spoil alike.

#include "mock_server/service/reply.hpp"
#include "mock_server/transport/answer.hpp"
#include "mock_server/transport/clock.hpp"
#include "mock_server/transport/listener.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::transport {

// The fault that a wish or a scenario calls by `name`: "reset", "empty", "truncate",
// "wrong-length", "bad-chunk", "garbage", "slow-body", "slow-close", "stall", "split-writes";
// nothing for another.
std::optional<service::Fault> fault_of(std::string_view name);
// Its name; "none" for Fault::kNone.
std::string_view name_of(service::Fault fault);

// Play: `first` bytes at once, then `piece` bytes every `interval`, then `ending`.
struct Script {
  enum class Ending {
    kGoOn,   // as if nothing had been: the next request
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

// Precondition: the answer's fault is not kNone. Faults of a body become a reset where the answer
// has none.
Script make_script(Answer&& answer, const Limits& limits);

}  // namespace mock_server::transport
