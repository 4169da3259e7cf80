#pragma once

// The steps of the pipeline before the response is made, in order. Each one ends the request with a
// response, or adds to the context.

#include "mock_server/service/request/request_context.hpp"

#include <optional>

namespace mock_server::service::checks {

using request::ChosenResponse;
using request::RequestContext;

// Finds operation, binding and undeclared query parameters: 400 for a path that cannot be read,
// 404, 405 with Allow, 204 for a plain OPTIONS on a known path.
std::optional<ChosenResponse> route(RequestContext& context);

// Reads `context.preferences`: 400 for one that cannot be read, 404 for an unknown name.
std::optional<ChosenResponse> apply_preferences(RequestContext& context);

// Decodes and validates the request, into `context.reading`. Precondition: the operation is known.
void read_request(RequestContext& context);

// Decodes and validates parameters and body: 415, 400, 422; with `strict_query` also 422 for query
// parameters that the operation does not declare.
std::optional<ChosenResponse> validate_request(RequestContext& context, bool strict_query);

// 429 when the caller is over the limit that fixtures or `by_flag` set for the operation; fills
// `context.rate` when there is a limit.
std::optional<ChosenResponse> check_rate(RequestContext& context,
                                         const std::optional<state::RateLimit>& by_flag);

// For the headers of a preferred 429: the limit of the fixtures, else a default, with nothing left.
// Does not count.
state::RateDecision exhausted(const RequestContext& context);

// X-RateLimit-Limit, -Remaining, -Reset (seconds since 1970); Retry-After when it is a 429.
void add_rate_headers(const state::RateDecision& decision, spec::http::Response& response);

}  // namespace mock_server::service::checks
