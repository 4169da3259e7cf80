#pragma once

// The mock's own response to a request, not that of the service behind it: the steps in their
// order.

#include "mock_server/service/service_options.hpp"

namespace mock_server::reply {
struct Reply;
}

namespace mock_server::state {
class Store;
}

namespace mock_server::service::request {
struct RequestContext;
}

namespace mock_server::service {

// What the options say of the requests of all sessions.
void set_options(request::RequestContext& context, const ServiceOptions& options);

// The response, validated, and how it is delivered. Throws state::Unavailable while a shared state
// is away.
void respond_itself(request::RequestContext& context, const ServiceOptions& options,
                    state::Store& store, reply::Reply& reply);

}  // namespace mock_server::service
