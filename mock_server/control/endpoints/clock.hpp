#pragma once

// Endpoints about the session's time and seed; routes.cpp leads to them.

#include "mock_server/control/request/control_request.hpp"

namespace mock_server::control::endpoints {

using request::ControlRequest;

spec::http::Response show_clock(const ControlRequest& request);
// Body {"now": INSTANT, "frozen": BOOLEAN}: either may be left out, not both.
spec::http::Response set_clock(const ControlRequest& request);
// Body {"seconds": NUMBER}: on, or back when negative.
spec::http::Response advance_clock(const ControlRequest& request);
// The machine's time again.
spec::http::Response reset_clock(const ControlRequest& request);

// The seed of everything that is made up in the session: samples, and what happens by chance.
spec::http::Response show_seed(const ControlRequest& request);
// Body {"seed": NUMBER}.
spec::http::Response set_seed(const ControlRequest& request);
spec::http::Response reset_seed(const ControlRequest& request);

}  // namespace mock_server::control::endpoints
