#pragma once

// Answers taken from the contract itself: the one that a caller asks for by status or example,
// and the one for an operation that no fixture plays.

#include "mock_server/service/call.hpp"

#include <optional>

namespace mock_server::service {

// What `call.preferences` asks for: the example, else the service's error, else the first record that
// fixtures have, else 501 naming what is missing. 404 for a status or example that the operation
// does not declare, listing what it does.
Outcome forced_response(Call& call);

// The operation's success response by its example; 406 when Accept takes none of its media types; 501
// naming what is missing when there is no example.
Outcome example_response(Call& call);

}  // namespace mock_server::service
