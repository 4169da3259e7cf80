#pragma once

// Reports an exchange: in headers to the caller, in the journal, and in the log.

#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/service_options.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/http/message.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::service {

using checks::Secrets;
using request::RequestContext;

// The first violation of the response; null if there is none, or a limit left it undecided.
const spec::contract::Violation* first_violation(const RequestContext& context);

// The address where the journal explains the exchange: it needs no header.
std::string explained_at(std::string_view session, std::uint64_t id);

// Headers of every response of the mock's own: warnings, what broke, limits, preferences, CORS.
void add_headers(const RequestContext& context, std::uint64_t id, spec::http::Response& response);

struct FinishedExchange {
  std::uint64_t id = 0;
  std::chrono::nanoseconds took{0};
  const spec::http::Response& response;
  std::string hidden_target;  // "" when the target holds no secret
  std::string_view fault{};   // that breaks the delivery, by name; "" for none
  // Set for one that the journal has since it began, then: what it was in the end replaces that.
  std::optional<state::TimePoint> began{};
  std::uint64_t response_body_bytes = 0;  // of which `response` has a part; 0: it has all
};

// The fault that the delivery will have, by name; "" for none.
std::string_view fault_name(const RequestContext& context, const reply::Reply& reply);

void write_journal(const RequestContext& context, const Secrets& secrets, state::Journal& journal,
                   const FinishedExchange& done);

// Does nothing without a log.
void write_log(const RequestContext& context, const Secrets& secrets, const ServiceOptions& options,
               const FinishedExchange& done);

// A line for a request that came to no exchange: state or memory were missing. With a warning that
// says why, or without where that is said otherwise.
void log_failure(const spec::http::Request& request, const spec::http::Response& response,
                 const ServiceOptions& options, bool warns) noexcept;

// Adds those that the response lacks: 401 WWW-Authenticate, 405 Allow, 407 Proxy-Authenticate, 206
// and 416 Content-Range, 429 and 503 Retry-After, redirects Location. `call.operation` is known.
// Source: RFC 9110 §14.4, §15.3.7, §15.4, §15.5.2, §15.5.6, §15.5.8, §15.6.4; RFC 6585 §4.
void add_status_fields(const RequestContext& context, spec::http::Response& response);

}  // namespace mock_server::service
