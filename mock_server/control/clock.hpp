#pragma once

// Endpoints about the session's time and seed; routes.cpp leads to them.

#include "mock_server/control/control_request.hpp"

namespace mock_server::control {

spec::http::Response show_clock(const ControlRequest& ask);
// Body {"now": INSTANT, "frozen": BOOLEAN}: either may be left out, not both.
spec::http::Response set_clock(const ControlRequest& ask);
// Body {"seconds": NUMBER}: on, or back when negative.
spec::http::Response advance_clock(const ControlRequest& ask);
// The machine's time again.
spec::http::Response reset_clock(const ControlRequest& ask);

// The seed of everything that is made up in the session: samples, and what happens by chance.
spec::http::Response show_seed(const ControlRequest& ask);
// Body {"seed": NUMBER}.
spec::http::Response set_seed(const ControlRequest& ask);
spec::http::Response reset_seed(const ControlRequest& ask);

}  // namespace mock_server::control
