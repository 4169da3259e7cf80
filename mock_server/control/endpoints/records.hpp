#pragma once

// Endpoints about records, as the request's session has them; routes.cpp leads to them. A record
// that is put is validated as fixtures are: rejected whole with every problem and its place, or
// kept.

#include "mock_server/control/request/control_request.hpp"

namespace mock_server::control::endpoints {

using request::ControlRequest;

// The collection that the path names, or null; and the rejection of one that is not there.
const fixtures::Collection* find_collection(const ControlRequest& request);
spec::http::Response unknown_collection(const ControlRequest& request);

spec::http::Response list_collections(const ControlRequest& request);
spec::http::Response list_records(const ControlRequest& request,
                                  const fixtures::Collection& collection);
// Every record of the collection; kept whole when there is no room to note that.
spec::http::Response remove_records(const ControlRequest& request,
                                    const fixtures::Collection& collection);
// The collection, and one record of it, as the fixtures have it.
spec::http::Response reset_records(const ControlRequest& request,
                                   const fixtures::Collection& collection);
spec::http::Response reset_record(const ControlRequest& request,
                                  const fixtures::Collection& collection);

spec::http::Response show_record(const ControlRequest& request,
                                 const fixtures::Collection& collection);
// 201 when there was none of that key.
spec::http::Response put_record(const ControlRequest& request,
                                const fixtures::Collection& collection);
// The body is a merge patch (RFC 7396).
spec::http::Response patch_record(const ControlRequest& request,
                                  const fixtures::Collection& collection);
spec::http::Response remove_record(const ControlRequest& request,
                                   const fixtures::Collection& collection);

}  // namespace mock_server::control::endpoints
