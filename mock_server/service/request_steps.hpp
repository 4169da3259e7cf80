#pragma once

// The steps of the pipeline before a behaviour answers, in order. Each either rejects or fills in what
// it found.

#include "mock_server/service/call.hpp"

#include <optional>

namespace mock_server::service {

// Finds operation and binding, and what nobody knows of the query: 400 for a path that cannot be
// read, 404, 405 with Allow, 204 for a plain OPTIONS on a known path.
std::optional<Outcome> route(Call& call);

// Reads `call.preferences`: 400 for one that cannot be read, 404 for a name there is not.
std::optional<Outcome> apply_preferences(Call& call);

// Decodes and validates the request, into `call.reading`. Precondition: the operation is known.
void read_request(Call& call);

// Decodes and validates parameters and body: 415, 400, 422; with `strict_query` also 422 for query
// parameters that the operation does not have.
std::optional<Outcome> validate_request(Call& call, bool strict_query);

}  // namespace mock_server::service
