#pragma once

// A request for the real service: passed on, validated both ways, altered in nothing but
// the fields that say so. Blocks while the service works, unless it was asked at once, or may leave
// the waiting to a loop.

#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "mock_server/upstream/gateway.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace mock_server::service {

using checks::Secrets;
using request::RequestContext;

// The service that gets the request; nothing if the mock responds. A preference decides first, then
// the session's settings, then those of the program.
std::optional<upstream::Settings> choose_upstream(const upstream::Upstream* upstream,
                                                  const spec::http::Request& request,
                                                  const state::Session& session);

// Asks the service before forward() does, so that no thread waits for it; null where that must be
// done by one that may: when no connection is at hand, or the exchange is recorded. `path`: of the
// request, without the session's prefix.
std::shared_ptr<reply::PendingResponse> ask_at_once(upstream::Settings settings,
                                                    upstream::Upstream& upstream,
                                                    const spec::http::Request& request,
                                                    std::string_view path);

// When the work on a request began: when the service was asked, or now.
std::chrono::steady_clock::time_point began_of(const reply::Peer& peer);

// The service's response, or an error response (502, 504, 508) that says why there is none. Nothing
// if the mock responds (choose_upstream()), also in the service's place; where there is a service,
// `context.served_by` says so. A reply with `pending_response` if the service was asked and may
// take its time.
std::optional<reply::Reply> forward(RequestContext& context, upstream::Upstream* upstream);

// Adds to what chose the response why the mock gave it in the service's place, for the journal.
void note_fill(RequestContext& context);

// Adds X-Counterpart-Served-By and, where there are violations, X-Counterpart-Violations with
// their number and the first, and the address of the explanation. Nothing without a service.
void add_upstream_fields(const RequestContext& context, const Secrets& secrets, std::uint64_t id,
                         spec::http::Response& response);

}  // namespace mock_server::service
