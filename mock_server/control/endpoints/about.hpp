#pragma once

// The endpoints of the control API about the mock itself: what it is and what it has loaded. Each
// is a function from what was asked to a response; routes.cpp leads to them.

#include "mock_server/control/request/control_request.hpp"

namespace mock_server::control::endpoints {

using request::ControlRequest;

spec::http::Response show_health(const ControlRequest& request);
// 200 as long as the program answers at all.
spec::http::Response show_liveness(const ControlRequest& request);
// 200 when requests may be sent here, 503 with the reasons when they better go elsewhere.
spec::http::Response show_readiness(const ControlRequest& request);
// Prometheus's text form.
spec::http::Response show_metrics(const ControlRequest& request);
spec::http::Response show_operations(const ControlRequest& request);
spec::http::Response show_assumptions(const ControlRequest& request);
spec::http::Response show_contract(const ControlRequest& request);
spec::http::Response show_control_contract(const ControlRequest& request);
spec::http::Response show_control_text(const ControlRequest& request);
spec::http::Response list_schemas(const ControlRequest& request);
spec::http::Response show_schema(const ControlRequest& request);

// Records, clock, rates and journal of the session, as at the start.
spec::http::Response reset_session(const ControlRequest& request);

}  // namespace mock_server::control::endpoints
