#pragma once

// Responses that show the record to which a created, changed or deleted one belongs: "POST
// /carts/{id}/items" that responds with the cart.

#include "mock_server/service/request/request_context.hpp"

namespace mock_server::service::responses {

using request::ChosenResponse;
using request::RequestContext;

// The parent's record as it is after the request, where the contract shows that instead of the
// record itself; else `chosen`.
ChosenResponse with_parent(RequestContext& context, ChosenResponse chosen);

}  // namespace mock_server::service::responses
