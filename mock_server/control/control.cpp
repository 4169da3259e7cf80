#include "mock_server/control/control.hpp"

#include "mock_server/control/endpoints.hpp"
#include "mock_server/fixtures/answer.hpp"
#include "mock_server/fixtures/node_reader.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace mock_server::control {
namespace {

using fixtures::ErrorKind;
using spec::http::Request;
using spec::http::Response;

struct Endpoint {
  std::string_view method;
  std::string_view path;  // below /_mock/; a last "{}" takes one segment
  Response (*answer)(const Ask&);
  bool is_open = false;  // for every caller
};

constexpr std::array<Endpoint, 12> kEndpoints{{{"GET", "health", show_health, true},
                                               {"POST", "reset", reset_session},
                                               {"GET", "requests", list_requests},
                                               {"DELETE", "requests", clear_requests},
                                               {"GET", "requests/{}", show_request},
                                               {"GET", "operations", show_operations},
                                               {"GET", "assumptions", show_assumptions},
                                               {"GET", "spec", show_contract},
                                               {"GET", "spec/schemas", list_schemas},
                                               {"GET", "spec/schemas/{}", show_schema},
                                               {"GET", "sessions", list_sessions},
                                               {"DELETE", "sessions/{}", delete_session}}};

// What "{}" stands for in `path`; nothing when the path does not fit the pattern.
std::optional<std::string_view> fit(std::string_view pattern, std::string_view path) {
  if (!pattern.ends_with("{}")) {
    return pattern == path ? std::optional(std::string_view{}) : std::nullopt;
  }
  pattern.remove_suffix(2);
  if (!path.starts_with(pattern)) {
    return std::nullopt;
  }
  path.remove_prefix(pattern.size());
  const bool segment = !path.empty() && path.find('/') == std::string_view::npos;
  return segment ? std::optional(path) : std::nullopt;
}

bool shows_token(const Request& request, std::string_view token) {
  if (request.headers.find("X-Counterpart-Control-Token") == token) {
    return true;
  }
  constexpr std::string_view kBearer = "Bearer ";
  const auto given = request.headers.find("Authorization");
  return given && given->size() == kBearer.size() + token.size() &&
         spec::http::equals_ignoring_case(given->substr(0, kBearer.size()), kBearer) &&
         given->substr(kBearer.size()) == token;
}

std::optional<Response> refuse_stranger(const Scene& scene, const Request& request) {
  const std::string& token = scene.settings.token;
  if (token.empty()) {
    if (scene.from_this_machine) {
      return std::nullopt;
    }
    return refuse(scene, ErrorKind::kForbidden,
                  "the control API must be called from this machine, or with a control token "
                  "(--control-token)");
  }
  if (shows_token(request, token)) {
    return std::nullopt;
  }
  Response response =
      refuse(scene, ErrorKind::kUnauthorized,
             "header/X-Counterpart-Control-Token: must be the control token but is not");
  response.headers.add("WWW-Authenticate", "Bearer");
  return response;
}

Response unknown_path(const Scene& scene, std::string_view path) {
  std::vector<std::string_view> names;
  std::string all;
  for (const Endpoint& endpoint : kEndpoints) {
    names.push_back(endpoint.path);
    all += (all.empty() ? "" : ", ") + std::string(endpoint.method) + " /_mock/" +
           std::string(endpoint.path);
  }
  return refuse(scene, ErrorKind::kUnknownPath,
                "the control API has no /_mock/" + std::string(path.substr(0, 60)) +
                    fixtures::guess(path, names) + "; there are: " + all);
}

}  // namespace

bool is_control_path(std::string_view path) {
  return path.starts_with(kPrefix) &&
         (path.size() == kPrefix.size() || path[kPrefix.size()] == '/');
}

Response answer(const Scene& scene, const Request& request, std::string_view path) {
  path.remove_prefix(kPrefix.size());
  while (path.starts_with('/')) {
    path.remove_prefix(1);
  }
  while (path.ends_with('/')) {
    path.remove_suffix(1);
  }
  const std::string_view method =
      request.method == "HEAD" ? "GET" : std::string_view(request.method);
  std::string allowed;
  for (const Endpoint& endpoint : kEndpoints) {
    const auto argument = fit(endpoint.path, path);
    if (!argument) {
      continue;
    }
    if (endpoint.method == method) {
      if (!endpoint.is_open) {
        if (auto refusal = refuse_stranger(scene, request)) {
          return std::move(*refusal);
        }
      }
      return endpoint.answer({scene, request, std::string(*argument)});
    }
    allowed += std::string(endpoint.method) + (endpoint.method == "GET" ? ", HEAD, " : ", ");
  }
  if (allowed.empty()) {
    return unknown_path(scene, path);
  }
  allowed += "OPTIONS";
  if (request.method == "OPTIONS") {
    Response response;
    response.status = 204;
    response.headers.add("Allow", allowed);
    return response;
  }
  Response response = refuse(scene, ErrorKind::kMethodNotAllowed,
                             "method: must be one of " + allowed + " but is " + request.method);
  response.headers.add("Allow", allowed);
  return response;
}

}  // namespace mock_server::control
