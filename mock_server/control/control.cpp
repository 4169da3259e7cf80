#include "mock_server/control/control.hpp"

#include "mock_server/control/control_request.hpp"
#include "mock_server/control/error_response.hpp"
#include "mock_server/control/routes.hpp"
#include "mock_server/fixtures/node_reader.hpp"
#include "spec/http/host.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace mock_server::control {
namespace {

using fixtures::ErrorKind;
using spec::contract::Location;
using spec::contract::Match;
using spec::contract::Operation;
using spec::http::Request;
using spec::http::Response;

bool shows_token(const Request& request, std::string_view token) {
  if (request.headers.find("X-Counterpart-Control-Token") == token) {
    return true;
  }
  constexpr std::string_view kBearer = "Bearer ";
  const auto given = request.headers.find("Authorization");
  return given && given->size() == kBearer.size() + token.size() &&
         spec::text::equals_ignoring_case(given->substr(0, kBearer.size()), kBearer) &&
         given->substr(kBearer.size()) == token;
}

// Whether a page of another site, in a browser on this machine, sent the request: scripts send
// Origin, and embedded requests (not followed links) at least say that they are cross-site. Source:
// Fetch standard, "Origin" header; Fetch Metadata Request Headers §2.
bool is_foreign_page(const Request& request) {
  const auto origin = request.headers.find("Origin");
  if (!origin) {
    return request.headers.find("Sec-Fetch-Site") == "cross-site" &&
           request.headers.find("Sec-Fetch-Mode") != "navigate";
  }
  const std::size_t scheme = origin->find("://");
  if (scheme == std::string_view::npos) {
    return true;
  }
  std::string_view host = origin->substr(scheme + 3);
  if (const std::size_t colon = host.rfind(':');
      colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
    host = host.substr(0, colon);
  }
  return !spec::http::is_loopback_host(host);
}

std::optional<Response> reject_stranger(const ControlContext& context, const Request& request) {
  const std::string& token = context.settings.token;
  if (token.empty()) {
    if (context.settings.is_open || (context.from_this_machine && !is_foreign_page(request))) {
      return std::nullopt;
    }
    if (context.from_this_machine) {
      return reject(ErrorKind::kForbidden,
                    "pages of other sites may not call the control API; allow it with "
                    "--open-control, or send "
                    "the token of --control-token");
    }
    return reject(
        ErrorKind::kForbidden,
        "other machines may not call the control API; start the mock with --control-token "
        "and send that token, or with --open-control");
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

Response unknown_path(const ControlContext& context, std::string_view path) {
  path.remove_prefix(std::min(path.size(), kPrefix.size() + 1));
  std::vector<std::string_view> names;
  std::string all;
  for (const Operation& operation : context.control_api.contract().operations()) {
    names.push_back(std::string_view(operation.path).substr(kPrefix.size() + 1));
    spec::text::append_to_list(all, operation.name);
  }
  return reject(ErrorKind::kUnknownPath, "the control API has no /_mock/" +
                                             spec::text::shortened(path) +
                                             fixtures::guess(path, names) + "; known: " + all);
}

Response wrong_method(const Request& request, const Match& match) {
  const std::string allowed = spec::text::join(match.allowed);
  Response response;
  if (request.method == "OPTIONS") {
    response.status = 204;
  } else {
    response = reject(ErrorKind::kMethodNotAllowed,
                      "method: must be one of " + allowed + ", but is " + request.method);
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
  std::string_view query = spec::http::query_of(request.target);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const auto name = spec::text::percent_decode(pair.substr(0, pair.find('=')), true);
    if (pair.empty() || (name && std::ranges::find(declared, *name) != declared.end())) {
      continue;
    }
    problems.push_back("query: unknown parameter " + spec::text::in_quotes(name.value_or("?")) +
                       fixtures::guess(name.value_or(""), declared) +
                       "; known: " + (declared.empty() ? "none" : spec::text::join(declared)));
  }
  return problems;
}

// Endpoints without a body reject one; {} is allowed, because some clients always send JSON.
bool has_stray_body(const Operation& operation, const Request& request) {
  return !operation.body && !request.body.empty() && request.body != "{}";
}

reply::Reply perform(const ControlContext& context, const Request& request, const Match& match) {
  const Operation& operation = *match.operation;
  if (!operation.security.empty()) {
    if (auto rejection = reject_stranger(context, request)) {
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
  const Route* const route = route_of(operation.id);
  return route != nullptr
             ? route->answer(control_request)
             : reply::Reply{reject(ErrorKind::kNotImplemented, operation.name + " has no response"),
                            {}};
}

}  // namespace

const nlohmann::json* ControlRequest::query(std::string_view name) const {
  const auto found = reading.query.find(name);
  return found == reading.query.end() ? nullptr : &*found;
}

bool is_control_path(std::string_view path) {
  return path.starts_with(kPrefix) &&
         (path.size() == kPrefix.size() || path[kPrefix.size()] == '/');
}

reply::Reply answer(const ControlContext& context, const Request& request, std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) {
    path.remove_suffix(1);
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
  return {unknown_path(context, path), {}};
}

}  // namespace mock_server::control
