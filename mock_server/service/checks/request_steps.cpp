#include "mock_server/service/checks/request_steps.hpp"

#include "mock_server/journal/explanation.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::service::checks {

namespace {

using api::ErrorKind;
using request::is_preference;
using request::may_have_preferences;
using request::read_preferences;
using request::unknown_preference;
using spec::contract::Match;

// The path with a slash added or removed at its end, if the contract has that path.
std::optional<std::string> path_without_slash_error(const RequestContext& context) {
  std::string path(context.path);
  if (path.size() > 1 && path.back() == '/') {
    path.pop_back();
  } else {
    path += '/';
  }
  const Match other = context.api.contract.route(context.request.method, path);
  return other.kind == Match::Kind::kFound || other.kind == Match::Kind::kWrongMethod
             ? std::optional(path)
             : std::nullopt;
}

// `no operation matches GET /customers; nearest: GET /customers/{customer_id}; all: /_mock/`.
std::string no_operation_matches(const RequestContext& context) {
  constexpr std::size_t kMaxShown = 200;
  std::string text = "no operation matches " + spec::text::shortened(context.method()) + ' ' +
                     spec::text::shortened(context.path, kMaxShown);
  if (const auto meant = path_without_slash_error(context)) {
    text += "; did you mean " + spec::text::shortened(*meant, kMaxShown) + '?';
  } else if (const auto nearest = journal::nearest_operations(context.api.contract,
                                                              context.method(), context.path, {1});
             !nearest.empty()) {
    text += "; nearest: " + nearest.front()->name;
  }
  return text + "; all: " + std::string(context.prefix) + "/_mock/";
}

ChosenResponse wrong_method(RequestContext& context, const Match& match) {
  const std::string allow = spec::text::join(match.allowed);
  ChosenResponse chosen{{}, true};
  if (context.request.method == "OPTIONS") {
    context.chosen_by = "OPTIONS";
    chosen.response.status = 204;
  } else {
    chosen = reject(
        context, ErrorKind::kMethodNotAllowed,
        "method: must be one of " + allow + ", but is " + spec::text::shortened(context.method()));
    chosen.validated = true;
  }
  chosen.response.headers.set("Allow", allow);
  return chosen;
}

// A few, for headers are short.
void warn_of_preferences(RequestContext& context, const std::vector<std::string>& warnings) {
  constexpr std::size_t kMax = 3;
  const std::span all(warnings);
  const auto first = all.first(std::min(all.size(), kMax));
  context.warnings.insert(context.warnings.end(), first.begin(), first.end());
}

// Undeclared query parameters, except for preferences ("__code"); warns of misspelt ones of those.
std::vector<std::string> unknown_query(RequestContext& context) {
  if (context.request.target.find('?') == std::string::npos) {
    return {};
  }
  auto names =
      spec::contract::undeclared_query(context.api.contract, *context.operation, context.request);
  std::vector<std::string> warnings;
  std::erase_if(names, [&warnings](const std::string& name) {
    if (name.starts_with("__") && !is_preference(name)) {
      warnings.push_back(unknown_preference(name));
    }
    return name.starts_with("__");
  });
  warn_of_preferences(context, warnings);
  return names;
}

void warn_of_misspelt_body(RequestContext& context) {
  if (!context.reading.body || !context.reading.body->is_structured()) {
    return;
  }
  std::vector<std::string> lines;
  for (const auto& one : spec::contract::misspelt_body(context.api.contract, *context.operation,
                                                       context.request, *context.reading.body)) {
    lines.push_back("body" + one.instance + ": " + one.message());
  }
  if (!lines.empty()) {
    context.warnings.push_back(reply::header_text(reply::first_of(lines)));
  }
}

}  // namespace

std::optional<ChosenResponse> route(RequestContext& context) {
  Match match = context.api.contract.route(context.request.method, context.path);
  switch (match.kind) {
    case Match::Kind::kFound:
      context.operation = match.operation;
      context.binding = context.api.fixtures.binding(*match.operation);
      context.path_values = std::move(match.path_values);
      context.unknown_query = unknown_query(context);
      return std::nullopt;
    case Match::Kind::kMalformed:
      return reject(context, ErrorKind::kMalformedRequest,
                    "path: must be percent-encoded UTF-8, but is not");
    case Match::Kind::kWrongMethod: return wrong_method(context, match);
    case Match::Kind::kUnknownPath: break;
  }
  if (context.request.method == "OPTIONS" && context.path == "*") {
    ChosenResponse chosen{{}, true};
    chosen.response.status = 204;
    return chosen;
  }
  return reject(context, ErrorKind::kUnknownPath, no_operation_matches(context));
}

std::optional<ChosenResponse> apply_preferences(RequestContext& context) {
  if (!may_have_preferences(context.request)) {
    return std::nullopt;
  }
  context.preferences = read_preferences(context.request);
  warn_of_preferences(context, context.preferences.warnings);
  if (context.preferences.violation.empty()) {
    return std::nullopt;
  }
  const std::string violation = context.preferences.violation;
  const bool unknown = context.preferences.is_unknown;
  context.preferences = {};
  return reject(context, unknown ? ErrorKind::kUnknownPreference : ErrorKind::kUnreadablePreference,
                violation);
}

void read_request(RequestContext& context) {
  context.reading = spec::contract::validate_request(context.api.contract, *context.operation,
                                                     context.request, context.path_values);
}

std::optional<ChosenResponse> validate_request(RequestContext& context, bool strict_query) {
  read_request(context);
  if (strict_query) {
    constexpr std::size_t kMax = 20;
    const std::span names(context.unknown_query);
    for (const std::string& name : names.first(std::min(names.size(), kMax))) {
      context.reading.violations.push_back(
          spec::contract::undeclared_query_violation(*context.operation, name));
    }
  }
  auto& violations = context.reading.violations;
  if (std::ranges::all_of(violations, &spec::contract::Violation::not_understood)) {
    context.not_understood = std::exchange(violations, {});
  } else {
    std::erase_if(violations, [](const auto& one) { return one.not_understood; });
  }
  if (auto rejection = reject_violations(context)) {
    return rejection;
  }
  warn_of_misspelt_body(context);
  return std::nullopt;
}

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
  return reject(context, api::ErrorKind::kTooManyRequests,
                "more than " + std::to_string(limit->requests) +
                    (limit->requests == 1 ? " request in " : " requests in ") +
                    seconds(limit->window) + burst + "; try again in " +
                    seconds(context.rate->retry_after));
}

state::RateDecision exhausted(const RequestContext& context) {
  const state::RateLimit* const declared = declared_limit(context);
  constexpr std::uint64_t kUsual = 100;  // without a declared limit; the contract's example has it
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
