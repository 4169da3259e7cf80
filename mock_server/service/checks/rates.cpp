#include "mock_server/service/checks/rates.hpp"

#include "mock_server/service/checks/error_response.hpp"

#include <chrono>
#include <string>

namespace mock_server::service::checks {
namespace {

constexpr int kTooManyRequests = 429;

const state::RateLimit* declared_limit(const RequestContext& context) {
  return context.api.fixtures.rate_limit(*context.operation);
}

std::string seconds(std::chrono::seconds count) {
  return std::to_string(count.count()) + (count.count() == 1 ? " second" : " seconds");
}

}  // namespace

std::optional<ChosenResponse> check_rate(RequestContext& context,
                                         const std::optional<state::RateLimit>& by_flag) {
  const state::RateLimit* const limit = by_flag ? &*by_flag : declared_limit(context);
  if (limit == nullptr) {
    return std::nullopt;
  }
  const std::string caller = context.credential.empty() ? context.peer.address : context.credential;
  context.rate = state::take_rate(*context.session, context.operation->id + ' ' + caller, *limit);
  if (context.rate->allowed) {
    return std::nullopt;
  }
  const std::string burst =
      limit->is_bucket() ? " or " + std::to_string(limit->burst) + " at once" : "";
  return reject(context, fixtures::ErrorKind::kTooManyRequests,
                "more than " + std::to_string(limit->requests) +
                    (limit->requests == 1 ? " request in " : " requests in ") +
                    seconds(limit->window) + burst + "; try again in " +
                    seconds(context.rate->retry_after));
}

state::RateDecision exhausted(const RequestContext& context) {
  const state::RateLimit* const declared = declared_limit(context);
  constexpr std::uint64_t kUsual = 100;  // where none is declared; the contract's example says so
  const state::RateLimit limit = declared != nullptr ? *declared : state::RateLimit{kUsual};
  return {false, limit.requests, 0, context.session->now() + limit.window, limit.window};
}

void add_rate_headers(const state::RateDecision& decision, spec::http::Response& response) {
  const auto reset = std::chrono::ceil<std::chrono::seconds>(decision.reset_at.time_since_epoch());
  response.headers.set("X-RateLimit-Limit", std::to_string(decision.limit));
  response.headers.set("X-RateLimit-Remaining", std::to_string(decision.remaining));
  response.headers.set("X-RateLimit-Reset", std::to_string(reset.count()));
  // A scenario's 429 has its own Retry-After.
  if (response.status == kTooManyRequests && !decision.allowed) {
    response.headers.set("Retry-After", std::to_string(decision.retry_after.count()));
  }
}

}  // namespace mock_server::service::checks
