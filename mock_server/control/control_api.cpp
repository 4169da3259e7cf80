#include "mock_server/control/control_api.hpp"

#include "mock_server/control/control_request.hpp"
#include "mock_server/control/routes.hpp"
#include "mock_server/journal/explanation.hpp"
#include "mock_server/journal/journal_query.hpp"
#include "spec/http/form.hpp"
#include "spec/net/base_url.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::control {

namespace {

using api::ErrorKind;
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
                                   spec::http::response_method(request.method), path, kLimits)) {
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
                          std::string(spec::http::response_method(request.method)));
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
             ? route->handle(control_request)
             : reply::Reply{reject(ErrorKind::kNotImplemented, operation.name + " has no response"),
                            {}};
}

}  // namespace

bool is_control_path(std::string_view path) {
  return path.starts_with(kPrefix) &&
         (path.size() == kPrefix.size() || path[kPrefix.size()] == '/');
}

reply::Reply respond(const ControlContext& context, const Request& request, std::string_view path) {
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

namespace {

using api::ErrorKind;
using spec::http::Request;
using spec::http::Response;

// In a time that does not say how much of it is right.
bool is_token(std::optional<std::string_view> given, std::string_view token) {
  return given && given->size() == token.size() &&
         CRYPTO_memcmp(given->data(), token.data(), token.size()) == 0;
}

bool shows_token(const Request& request, std::string_view token) {
  constexpr std::string_view kBearer = "Bearer ";
  const auto given = request.headers.find("Authorization");
  const bool is_bearer =
      given && spec::text::equals_ignoring_case(given->substr(0, kBearer.size()), kBearer);
  return is_token(request.headers.find("X-Counterpart-Control-Token"), token) ||
         (is_bearer && is_token(given->substr(kBearer.size()), token));
}

std::string_view without_port(std::string_view authority) {
  const std::size_t colon = authority.rfind(':');
  return colon == std::string_view::npos || authority.find(']', colon) != std::string_view::npos
             ? authority
             : authority.substr(0, colon);
}

// True if a page of another site, in a browser on this machine, sent the request: scripts send
// Origin, and embedded requests and followed links at least say that they are cross-site. Links may
// be followed, but not to what changes something. Source: Fetch standard, "Origin" header; Fetch
// Metadata Request Headers §2.
bool is_foreign_page(const Request& request, bool changes) {
  const auto origin = request.headers.find("Origin");
  if (!origin) {
    return request.headers.find("Sec-Fetch-Site") == "cross-site" &&
           (changes || request.headers.find("Sec-Fetch-Mode") != "navigate");
  }
  const std::size_t scheme = origin->find("://");
  return scheme == std::string_view::npos ||
         !spec::net::is_loopback_host(without_port(origin->substr(scheme + 3)));
}

// True if the request calls the mock by a name that a page of another site may have: such a name
// can be made to lead here, and the page then is of the same origin (DNS rebinding). Every browser
// sends Host, and reaches no Unix socket; addresses are no names.
bool has_foreign_host(const Request& request, std::string_view listens_on) {
  const auto field = request.headers.find("Host");
  const std::string_view host = without_port(field.value_or("localhost"));
  const bool is_address =
      host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
  return !is_address && !spec::net::is_loopback_host(host) && !listens_on.starts_with("unix:") &&
         !spec::text::equals_ignoring_case(host, listens_on);
}

// Why the caller may not call without a token; "" if it may.
std::string why_not(const ControlContext& context, const Request& request, bool changes) {
  if (context.settings.is_open) {
    return "";
  }
  if (!context.from_this_machine) {
    return "other machines may not call the control API; start the mock with --control-token "
           "and send that token, or with --open-control";
  }
  if (has_foreign_host(request, context.settings.host)) {
    return "header/Host: must be localhost, an address, or the host of --host, but is " +
           spec::text::in_quotes(*request.headers.find("Host")) +
           "; call the mock by one of these, or start it with --control-token or --open-control";
  }
  return is_foreign_page(request, changes)
             ? "pages of other sites may not call the control API; allow it with --open-control, "
               "or send the token of --control-token"
             : "";
}

}  // namespace

std::optional<Response> reject_stranger(const ControlContext& context, const Request& request,
                                        bool changes) {
  const std::string& token = context.settings.token;
  if (token.empty()) {
    const std::string why = why_not(context, request, changes);
    return why.empty() ? std::nullopt : std::optional(reject(ErrorKind::kForbidden, why));
  }
  if (shows_token(request, token)) {
    return std::nullopt;
  }
  Response response =
      reject(ErrorKind::kUnauthorized,
             "header/X-Counterpart-Control-Token: must be the token that --control-token "
             "gave to the mock");
  response.headers.add("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace mock_server::control
