#pragma once

// The endpoints of the control API about the journal.

#include "mock_server/control/ask.hpp"

#include <nlohmann/json_fwd.hpp>

namespace mock_server::control {

// {"noted": n, "kept": n, "lost": n} of the session.
nlohmann::json window_of(const Scene& scene);

spec::http::Response list_requests(const Ask& ask);
spec::http::Response clear_requests(const Ask& ask);
spec::http::Response show_request(const Ask& ask);

}  // namespace mock_server::control
