#pragma once

// The effects of a session's armed scenarios on a call. Each call takes its steps by
// compare-and-set, so that no step is taken by more calls than it says.

#include "mock_server/service/request/request_context.hpp"

#include <optional>

namespace mock_server::service::responses {

using request::ChosenResponse;
using request::RequestContext;

// Takes the call's steps: adds changes of its record to `context.scenario_changes`, delay and fault
// to its delivery (preferences have priority), and returns the response, if a step has one.
std::optional<ChosenResponse> play_scenarios(RequestContext& context);

}  // namespace mock_server::service::responses
