#pragma once

// Responses from the contract's examples and schemas: one that a preference asks for by status or
// example, and one for an operation without a binding.

#include "mock_server/service/request/request_context.hpp"

#include <string_view>

namespace mock_server::service::responses {

using request::ChosenResponse;
using request::RequestContext;

// The response that `context.preferences` asks for: the example, else the service's error, else a
// record of the fixtures, else a generated one, else 501 that says what is missing. 404 with the
// list of what is declared for an undeclared example, and with strict preferences for an undeclared
// status.
ChosenResponse forced_response(RequestContext& context);

// The demand for a status, and its source.
struct StatusDemand {
  int status = 200;         // 200 to 599
  std::string_view by;      // for the warning: "preference code"
  std::string_view reason;  // the message of an error
};

// The response of that status, as the operation declares it. If it does not: an error in the shape
// of its other errors, or no body below 400, with a warning.
ChosenResponse status_response(RequestContext& context, const StatusDemand& demand);

// The success response by its example or schema; 406 if Accept takes none of its media types; 501
// that says what is missing if no response can be made.
ChosenResponse example_response(RequestContext& context);

}  // namespace mock_server::service::responses
