#pragma once

// The endpoint of the control API that sends what happens, as it happens.

#include "mock_server/control/request/control_request.hpp"

namespace mock_server::control::endpoints {

using request::ControlRequest;

// A stream of server-sent events; event_stream.hpp makes them.
reply::Reply stream_events(const ControlRequest& request);

}  // namespace mock_server::control::endpoints
