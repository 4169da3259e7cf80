#include "mock_server/control/request/guard.hpp"

#include "mock_server/control/request/error_response.hpp"
#include "spec/http/host.hpp"
#include "spec/text/ascii.hpp"

#include <openssl/crypto.h>

#include <string>
#include <string_view>

namespace mock_server::control::request {
namespace {

using fixtures::ErrorKind;
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

}  // namespace

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

}  // namespace mock_server::control::request
