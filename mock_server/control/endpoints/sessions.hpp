#pragma once

// Endpoints about sessions and their snapshots; routes.cpp leads to them.

#include "mock_server/control/request/control_request.hpp"

namespace mock_server::control::endpoints {

using request::ControlRequest;

spec::http::Response list_sessions(const ControlRequest& request);
spec::http::Response show_session(const ControlRequest& request);
// Body {"name": NEW, "from": NAME}: a new session with what another has; "from" left out, the
// session of the request. 409 when there is one of that name.
spec::http::Response fork_session(const ControlRequest& request);
spec::http::Response delete_session(const ControlRequest& request);

// Copies of the request's session by name; taking one again replaces it.
spec::http::Response list_snapshots(const ControlRequest& request);
spec::http::Response take_snapshot(const ControlRequest& request);
spec::http::Response restore_snapshot(const ControlRequest& request);
spec::http::Response drop_snapshot(const ControlRequest& request);

}  // namespace mock_server::control::endpoints
