#pragma once

// Tokens that the response of a login issues: a new one each time, which the mock accepts from then
// on, until it ends by the session's clock.

#include "mock_server/service/request/request_context.hpp"

namespace mock_server::service::responses {

// The response with a token of its own, if the binding issues one.
request::ChosenResponse with_issued_token(request::RequestContext& context,
                                          request::ChosenResponse chosen);

}  // namespace mock_server::service::responses
