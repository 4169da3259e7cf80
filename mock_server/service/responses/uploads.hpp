#pragma once

// Files that requests upload, kept in the session under the path that has them, and the responses
// that have them again.

#include "mock_server/service/request/request_context.hpp"

namespace mock_server::service::responses {

using request::ChosenResponse;
using request::RequestContext;

// The response of the binding or of the contract's example. A file in the request's body comes back
// as it was sent, from the same path or from "content", "download" and the like below it; in
// records its name, size and type replace it.
ChosenResponse respond_with_files(RequestContext& context);

}  // namespace mock_server::service::responses
