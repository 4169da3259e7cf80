#pragma once

// The names of faults in preferences and scenarios. Pure functions.

#include "mock_server/reply/reply.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace mock_server::reply {

// "reset", "empty", "truncate", "wrong-length", "bad-chunk", "garbage", "slow-body", "slow-close",
// "stall", "split-writes", in the order of Fault.
std::span<const std::string_view> fault_names();

// Nothing if no fault has this name.
std::optional<Fault> fault_of(std::string_view name);

// "none" for Fault::kNone.
std::string_view name_of(Fault fault);

// How much of a response reaches the client, in words; "all of it" for Fault::kNone.
std::string_view delivered_with(Fault fault);

// False if the client sees no status line.
bool delivers_head(Fault fault);

// The fault for a response without a body: faults of the body become kReset.
Fault without_body(Fault fault);

}  // namespace mock_server::reply
