#pragma once

// The header fields that HTTP demands of a response for its status alone.

#include "mock_server/service/request/request_context.hpp"
#include "spec/http/message.hpp"

namespace mock_server::service {

using request::RequestContext;

// Adds those that the response lacks: 401 WWW-Authenticate, 405 Allow, 407 Proxy-Authenticate, 206
// and 416 Content-Range, 429 and 503 Retry-After, redirects Location. `call.operation` is known.
// Source: RFC 9110 §14.4, §15.3.7, §15.4, §15.5.2, §15.5.6, §15.5.8, §15.6.4; RFC 6585 §4.
void add_status_fields(const RequestContext& context, spec::http::Response& response);

}  // namespace mock_server::service
