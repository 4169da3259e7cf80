#include "mock_server/service/rates.hpp"

#include "mock_server/service/error_response.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace mock_server::service {
namespace {

constexpr int kTooManyRequests = 429;

const state::RateLimit* declared_limit(const Call& call) {
  for (const auto& line : call.api.fixtures.rate_limits()) {
    if (line.operations.empty() ||
        std::ranges::find(line.operations, call.operation->id) != line.operations.end()) {
      return &line.limit;
    }
  }
  return nullptr;
}

std::string seconds(std::chrono::seconds count) {
  return std::to_string(count.count()) + (count.count() == 1 ? " second" : " seconds");
}

}  // namespace

std::optional<Outcome> check_rate(Call& call, const std::optional<state::RateLimit>& by_flag) {
  const state::RateLimit* const limit = by_flag ? &*by_flag : declared_limit(call);
  if (limit == nullptr) {
    return std::nullopt;
  }
  const std::string caller = call.credential.empty() ? call.peer.address : call.credential;
  call.rate = state::take_rate(*call.session, call.operation->id + ' ' + caller, *limit);
  if (call.rate->allowed) {
    return std::nullopt;
  }
  const std::string burst =
      limit->is_bucket() ? ", " + std::to_string(limit->burst) + " at once," : "";
  return reject(call, fixtures::ErrorKind::kTooManyRequests,
                "must be at most " + std::to_string(limit->requests) + " requests in " +
                    seconds(limit->window) + burst + ", but is more; try again in " +
                    seconds(call.rate->retry_after));
}

state::RateDecision exhausted(const Call& call) {
  const state::RateLimit* const declared = declared_limit(call);
  constexpr std::uint64_t kUsual = 100;  // where none is declared; the contract's example says so
  const state::RateLimit limit = declared != nullptr ? *declared : state::RateLimit{kUsual};
  return {false, limit.requests, 0, call.session->now() + limit.window, limit.window};
}

void add_rate_headers(const state::RateDecision& decision, spec::http::Response& response) {
  const auto reset = std::chrono::ceil<std::chrono::seconds>(decision.reset_at.time_since_epoch());
  response.headers.set("X-RateLimit-Limit", std::to_string(decision.limit));
  response.headers.set("X-RateLimit-Remaining", std::to_string(decision.remaining));
  response.headers.set("X-RateLimit-Reset", std::to_string(reset.count()));
  // A scenario's 429 says for itself how long it lasts.
  if (response.status == kTooManyRequests && !decision.allowed) {
    response.headers.set("Retry-After", std::to_string(decision.retry_after.count()));
  }
}

}  // namespace mock_server::service
