#pragma once

// Records in the form that a request's Accept asks for. Source: RFC 9110 §12.5.1.

#include "mock_server/service/request/request_context.hpp"

namespace mock_server::service::responses {

// `chosen`, a response with a record or a list, as the declared media type that Accept likes best:
// JSON among equals. A read for which Accept takes none is 406; a change, which is done, is shown
// as JSON then. What cannot be written of a read is the contract's example.
request::ChosenResponse in_accepted_form(request::RequestContext& context,
                                         request::ChosenResponse chosen);

}  // namespace mock_server::service::responses
