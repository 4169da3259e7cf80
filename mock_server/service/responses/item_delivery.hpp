#pragma once

// How the items of a stream are sent: one after another by the session's clock, again, from the one
// on that the client lacks, with a fault in them, and after the last those that are pushed. Used by
// the service, after the response was made and validated.

#include "mock_server/reply/reply.hpp"
#include "mock_server/service/request/request_context.hpp"

namespace mock_server::service::responses {

// Sets delay and fault of a reply as they are preferred, and makes a stream of one whose body has
// items, where preferences or fixtures say how they are sent, or a client names its last event
// (Last-Event-ID): then the body of the reply, which is not sent, is that of the first round.
// Events of a GET whose data alone the contract describes get ids. A fault of items that cannot be
// is taken back with a warning. `store` must outlive the stream.
// Source: HTML, §9.2.
void set_delivery(request::RequestContext& context, state::Store& store, reply::Reply& reply);

}  // namespace mock_server::service::responses
