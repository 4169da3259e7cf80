#pragma once

// The endpoints of the control API, each a function from what was asked to an answer. control.cpp
// routes to them; it alone says which method and path is which.

#include "mock_server/control/control.hpp"
#include "mock_server/fixtures/error_table.hpp"

#include <string>
#include <string_view>

namespace mock_server::control {

struct Ask {
  const Scene& scene;
  const spec::http::Request& request;
  std::string argument;  // the last segment of a path that takes one
};

spec::http::Response refuse(const Scene& scene, fixtures::ErrorKind kind, std::string_view details);

spec::http::Response show_health(const Ask& ask);
spec::http::Response show_operations(const Ask& ask);
spec::http::Response show_assumptions(const Ask& ask);
spec::http::Response show_contract(const Ask& ask);
spec::http::Response list_schemas(const Ask& ask);
spec::http::Response show_schema(const Ask& ask);

// Records, clock, rates and journal of the session, as at the start.
spec::http::Response reset_session(const Ask& ask);
// Newest last; `limit` (100 unless given, 1 to 10000) keeps the newest, `after` an id.
spec::http::Response list_requests(const Ask& ask);
spec::http::Response clear_requests(const Ask& ask);
spec::http::Response show_request(const Ask& ask);
spec::http::Response list_sessions(const Ask& ask);
spec::http::Response delete_session(const Ask& ask);

}  // namespace mock_server::control
