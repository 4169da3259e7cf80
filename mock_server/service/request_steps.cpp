#include "mock_server/service/request_steps.hpp"

#include "mock_server/reply/error_response.hpp"
#include "mock_server/service/error_response.hpp"
#include "spec/contract/checking/misspelt_body.hpp"
#include "spec/contract/checking/undeclared_query.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace mock_server::service {
namespace {

using fixtures::ErrorKind;
using spec::contract::Match;

std::string allow_value(const Match& match) {
  std::string allow;
  for (const std::string& method : match.allowed) {
    allow += method + ", ";
  }
  const bool has_options = std::ranges::find(match.allowed, "OPTIONS") != match.allowed.end();
  if (has_options) {
    allow.resize(allow.size() - 2);
    return allow;
  }
  return allow + "OPTIONS";
}

// What a path that is almost one of the contract's was probably meant to be.
std::string hint(const Call& call) {
  std::string path(call.path);
  if (path.size() > 1 && path.back() == '/') {
    path.pop_back();
  } else {
    path += '/';
  }
  const Match other = call.api.contract.route(call.request.method, path);
  return other.kind == Match::Kind::kFound || other.kind == Match::Kind::kWrongMethod
             ? "; did you mean " + spec::text::shortened(path, 200) + '?'
             : "";
}

Outcome wrong_method(Call& call, const Match& match) {
  const std::string allow = allow_value(match);
  Outcome outcome{{}, true};
  if (call.request.method == "OPTIONS") {
    call.chosen_by = "OPTIONS";
    outcome.response.status = 204;
  } else {
    outcome = reject(call, ErrorKind::kMethodNotAllowed,
                     "method: must be one of " + allow + ", but is " +
                         spec::text::shortened(call.request.method));
    outcome.validated = true;
  }
  outcome.response.headers.set("Allow", allow);
  return outcome;
}

// Names in the query that neither the operation has nor preferences are ("__code").
std::vector<std::string> unknown_query(const Call& call) {
  if (call.request.target.find('?') == std::string::npos) {
    return {};
  }
  auto names = spec::contract::undeclared_query(call.api.contract, *call.operation, call.request);
  std::erase_if(names, [](const std::string& name) { return name.starts_with("__"); });
  return names;
}

void warn_of_misspelt_body(Call& call) {
  if (!call.reading.body || !call.reading.body->is_structured()) {
    return;
  }
  std::vector<std::string> lines;
  for (const auto& one : spec::contract::misspelt_body(call.api.contract, *call.operation,
                                                       call.request, *call.reading.body)) {
    lines.push_back("body" + one.instance + ": " + one.message());
  }
  if (!lines.empty()) {
    call.warnings.push_back(reply::header_text(reply::first_of(lines)));
  }
}

}  // namespace

std::optional<Outcome> route(Call& call) {
  Match match = call.api.contract.route(call.request.method, call.path);
  switch (match.kind) {
    case Match::Kind::kFound:
      call.operation = match.operation;
      call.binding = call.api.fixtures.binding(*match.operation);
      call.path_values = std::move(match.path_values);
      call.unknown_query = unknown_query(call);
      return std::nullopt;
    case Match::Kind::kMalformed:
      return reject(call, ErrorKind::kMalformedRequest,
                    "path: must be percent-encoded UTF-8, but is not");
    case Match::Kind::kWrongMethod: return wrong_method(call, match);
    case Match::Kind::kUnknownPath: break;
  }
  if (call.request.method == "OPTIONS" && call.path == "*") {
    Outcome outcome{{}, true};
    outcome.response.status = 204;
    return outcome;
  }
  return reject(call, ErrorKind::kUnknownPath,
                "path: must be one of the contract's, but is " +
                    spec::text::shortened(call.path, 200) + hint(call));
}

std::optional<Outcome> apply_preferences(Call& call) {
  if (!may_have_preferences(call.request)) {
    return std::nullopt;
  }
  call.preferences = read_preferences(call.request);
  if (call.preferences.violation.empty()) {
    return std::nullopt;
  }
  const std::string violation = call.preferences.violation;
  const bool unknown = call.preferences.is_unknown;
  call.preferences = {};
  return reject(call, unknown ? ErrorKind::kUnknownPreference : ErrorKind::kUnreadablePreference,
                violation);
}

void read_request(Call& call) {
  call.reading = spec::contract::validate_request(call.api.contract, *call.operation, call.request,
                                               call.path_values);
}

std::optional<Outcome> validate_request(Call& call, bool strict_query) {
  read_request(call);
  if (strict_query) {
    constexpr std::size_t kMax = 20;
    const std::span names(call.unknown_query);
    for (const std::string& name : names.first(std::min(names.size(), kMax))) {
      call.reading.violations.push_back(
          spec::contract::undeclared_query_violation(*call.operation, name));
    }
  }
  auto& violations = call.reading.violations;
  if (std::ranges::all_of(violations, &spec::contract::Violation::not_understood)) {
    call.not_understood = std::exchange(violations, {});
  } else {
    std::erase_if(violations, [](const auto& one) { return one.not_understood; });
  }
  if (auto rejection = reject_violations(call)) {
    return rejection;
  }
  warn_of_misspelt_body(call);
  return std::nullopt;
}

}  // namespace mock_server::service
