#pragma once

// Responses from the contract's examples and schemas: one that a preference asks for by status or
// example, and one for an operation without a binding.

#include "mock_server/service/request_context.hpp"

#include <optional>

namespace mock_server::service {

// The response that `context.preferences` asks for: the example, else the service's error, else a
// record of the fixtures, else a generated one, else 501 that says what is missing. 404 with the
// list of what is declared for an undeclared status or example.
ChosenResponse forced_response(RequestContext& context);

// The success response by its example or schema; 406 if Accept takes none of its media types; 501
// that says what is missing if no response can be made.
ChosenResponse example_response(RequestContext& context);

}  // namespace mock_server::service
