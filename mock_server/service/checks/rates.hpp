#pragma once

// Rate limits: which one applies to a request, and its headers.

#include "mock_server/service/request/request_context.hpp"

#include <optional>

namespace mock_server::service::checks {

using request::ChosenResponse;
using request::RequestContext;

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
