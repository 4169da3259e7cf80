#pragma once

// Responses of requests that never came to an operation, or whose work was in vain.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "mock_server/state/session.hpp"
#include "spec/http/message.hpp"

#include <optional>

namespace mock_server::service {

using request::SessionChoice;

// Precondition: `choice` is not readable.
spec::http::Response bad_session(const fixtures::LoadedApi& api, const SessionChoice& choice);

// Of the exception that is being handled. What needs the state is rejected while that is away; it
// may be sent again.
reply::Reply response_of_exception(const spec::http::Request& request) noexcept;

// False if the request is to be tried again; otherwise `reply` is the last word.
bool tell_not_kept(const spec::http::Request& request, state::Commit outcome, reply::Reply& reply);

}  // namespace mock_server::service
