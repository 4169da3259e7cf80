#pragma once

// Endpoints about who answers the session's requests: the real service or the mock; routes.cpp
// leads to them.

#include "mock_server/control/request/control_request.hpp"

namespace mock_server::control::endpoints {

using request::ControlRequest;

spec::http::Response show_upstream(const ControlRequest& request);
// Body {"mode": "observe" | "record" | "fill" | "mock", "fill_on": LIST}. The URL is that of
// --upstream: who may call the control API does not choose where the mock sends requests.
spec::http::Response set_upstream(const ControlRequest& request);
// The program's settings again.
spec::http::Response reset_upstream(const ControlRequest& request);

}  // namespace mock_server::control::endpoints
