#pragma once

// Endpoints about records, as the request's session has them; routes.cpp leads to them. A record
// that is put is validated as fixtures are: rejected whole with every problem and its place, or
// kept.

#include "mock_server/control/control_request.hpp"

namespace mock_server::control {

spec::http::Response list_collections(const ControlRequest& request);
spec::http::Response list_records(const ControlRequest& request);
// Every record of the collection; kept whole when there is no room to note that.
spec::http::Response remove_records(const ControlRequest& request);
// The collection, and one record of it, as the fixtures have it.
spec::http::Response reset_records(const ControlRequest& request);
spec::http::Response reset_record(const ControlRequest& request);

spec::http::Response show_record(const ControlRequest& request);
// 201 when there was none of that key.
spec::http::Response put_record(const ControlRequest& request);
// The body is a merge patch (RFC 7396).
spec::http::Response patch_record(const ControlRequest& request);
spec::http::Response remove_record(const ControlRequest& request);

}  // namespace mock_server::control
