#include "mock_server/control/request/guard.hpp"

#include "mock_server/control/request/error_response.hpp"
#include "spec/net/base_url.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

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

std::string_view without_port(std::string_view authority) {
  const std::size_t colon = authority.rfind(':');
  return colon == std::string_view::npos || authority.find(']', colon) != std::string_view::npos
             ? authority
             : authority.substr(0, colon);
}

// Whether a page of another site, in a browser on this machine, sent the request: scripts send
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

// Whether the request calls the mock by a name that a page of another site may have: such a name
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

}  // namespace mock_server::control::request
