#pragma once

// Rate limits on a call: which one governs it, and the headers that tell of it.

#include "mock_server/service/call.hpp"

#include <optional>

namespace mock_server::service {

// 429 when the caller is over the limit that fixtures or `by_flag` set for the operation; fills
// `call.rate` when there is a limit.
std::optional<Outcome> check_rate(Call& call, const std::optional<state::RateLimit>& by_flag);

// How a 429 that was asked for describes itself: the limit that fixtures declare, else one request
// a second, with nothing left. Uses nothing up.
state::RateDecision exhausted(const Call& call);

// X-RateLimit-Limit, -Remaining, -Reset (seconds since 1970); Retry-After when it is a 429.
void add_rate_headers(const state::RateDecision& decision, spec::http::Response& response);

}  // namespace mock_server::service
