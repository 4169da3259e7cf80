#pragma once

// What a session's armed scenarios make of a call. Each call takes its steps by compare-and-set, so
// that no step is taken by more calls than it is for. Costs nothing in a session without any.

#include "mock_server/service/call.hpp"

#include <optional>

namespace mock_server::service {

// Takes the call's steps: keeps the change of its record in `call.staged`, adds delay and fault to
// its delivery (preferences go first), and gives the response, when a step has one.
std::optional<Outcome> play_scenarios(Call& call);

}  // namespace mock_server::service
