#pragma once

// `/_mock/faults`: the names that faults have, and the session's own rules of when they happen. The
// rules are kept as the session's scenario "faults", so they are validated, seeded, counted and
// reset as scenarios are.

#include "mock_server/control/request/control_request.hpp"
#include "spec/http/message.hpp"

namespace mock_server::control::endpoints {

using request::ControlRequest;

spec::http::Response list_faults(const ControlRequest& request);
spec::http::Response put_faults(const ControlRequest& request);
spec::http::Response drop_faults(const ControlRequest& request);

}  // namespace mock_server::control::endpoints
