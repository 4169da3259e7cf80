#include "mock_server/control/control.hpp"

#include "mock_server/control/journal/explain.hpp"
#include "mock_server/control/journal/journal_query.hpp"
#include "mock_server/control/request/control_request.hpp"
#include "mock_server/control/request/error_response.hpp"
#include "mock_server/control/request/guard.hpp"
#include "mock_server/control/routes.hpp"
#include "spec/http/form.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace mock_server::control {
namespace {

using fixtures::ErrorKind;
using request::ControlRequest;
using request::reject;
using spec::contract::Location;
using spec::contract::Match;
using spec::contract::Operation;
using spec::http::Request;
using spec::http::Response;

// `; nearest: GET /_mock/requests, ...`; "" if no path is alike.
std::string nearest_names(const ControlContext& context, const Request& request,
                          std::string_view path) {
  // "_mock" alone is no likeness.
  constexpr journal::NearestLimits kLimits{5, 3};
  std::string names;
  for (const Operation* const operation :
       journal::nearest_operations(context.control_api.contract(),
                                   spec::http::answered_method(request.method), path, kLimits)) {
    spec::text::append_to_list(names, operation->name);
  }
  return names.empty() ? "" : "; nearest: " + names;
}

Response unknown_path(const ControlContext& context, const Request& request,
                      std::string_view path) {
  const std::string nearest = nearest_names(context, request, path);
  path.remove_prefix(std::min(path.size(), kPrefix.size() + 1));
  return reject(ErrorKind::kUnknownPath,
                "the control API has no /_mock/" + spec::text::shortened(path) + nearest +
                    "; all: " + std::string(journal::prefix_of(request.target)) +
                    "/_mock/spec/control.openapi.yaml");
}

Response wrong_method(const Request& request, const Match& match) {
  const std::string allowed = spec::text::join(match.allowed);
  Response response;
  if (request.method == "OPTIONS") {
    response.status = 204;
  } else {
    response = reject(ErrorKind::kMethodNotAllowed,
                      "method: must be one of " + allowed + ", but is " +
                          std::string(spec::http::answered_method(request.method)));
  }
  response.headers.add("Allow", allowed);
  return response;
}

// Otherwise a misspelt parameter would be ignored silently.
std::vector<std::string> undeclared_parameters(const Operation& operation, const Request& request) {
  std::vector<std::string_view> declared;
  for (const auto& parameter : operation.parameters) {
    if (parameter.location == Location::kQuery) {
      declared.push_back(parameter.name);
    }
  }
  std::vector<std::string> problems;
  for (const auto& pair : spec::http::split_form(spec::http::query_of(request.target))) {
    if (std::ranges::find(declared, pair.name) == declared.end()) {
      problems.push_back("query: unknown parameter " + spec::text::in_quotes(pair.name) +
                         spec::text::did_you_mean(pair.name, declared) +
                         "; known: " + spec::text::names_listed(declared));
    }
  }
  return problems;
}

// Endpoints without a body reject one; {} is allowed, because some clients always send JSON.
bool has_stray_body(const Operation& operation, const Request& request) {
  return !operation.body && !request.body.empty() && request.body != "{}";
}

reply::Reply perform(const ControlContext& context, const Request& request, const Match& match) {
  const Operation& operation = *match.operation;
  const Route* const route = route_of(operation.id);
  if (!operation.security.empty()) {
    if (auto rejection = reject_stranger(context, request, route && route->changes_by_get)) {
      return {std::move(*rejection), {}};
    }
  }
  ControlRequest control_request{
      context,
      request,
      operation,
      spec::contract::validate_request(context.control_api.contract(), operation, request,
                                       match.path_values),
      {},
      {}};
  auto undeclared = undeclared_parameters(operation, request);
  if (has_stray_body(operation, request)) {
    constexpr std::string_view kStray = "body: must be empty: this endpoint takes no body";
    if (control_request.reading.violations.empty() && undeclared.empty()) {
      return {reject(ErrorKind::kInvalidBody, kStray), {}};
    }
    undeclared.emplace_back(kStray);
  }
  if (!control_request.reading.violations.empty() || !undeclared.empty()) {
    return {reject(control_request.reading.violations, std::move(undeclared)), {}};
  }
  for (const auto& [name, value] : match.path_values) {
    control_request.arguments.push_back(value);
  }
  control_request.argument =
      control_request.arguments.empty() ? "" : control_request.arguments.back();
  return route != nullptr
             ? route->answer(control_request)
             : reply::Reply{reject(ErrorKind::kNotImplemented, operation.name + " has no response"),
                            {}};
}

}  // namespace

bool is_control_path(std::string_view path) {
  return path.starts_with(kPrefix) &&
         (path.size() == kPrefix.size() || path[kPrefix.size()] == '/');
}

reply::Reply answer(const ControlContext& context, const Request& request, std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) {
    path.remove_suffix(1);
  }
  if (path == "/" || path == kPrefix) {
    path = kIndexPath;
  }
  const Match match = context.control_api.contract().route(request.method, path);
  switch (match.kind) {
    case Match::Kind::kFound: return perform(context, request, match);
    case Match::Kind::kWrongMethod: return {wrong_method(request, match), {}};
    case Match::Kind::kMalformed:
      return {
          reject(ErrorKind::kMalformedRequest, "path: must be percent-encoded UTF-8, but is not"),
          {}};
    case Match::Kind::kUnknownPath: break;
  }
  return {unknown_path(context, request, path), {}};
}

}  // namespace mock_server::control
