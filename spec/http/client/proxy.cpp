#include "spec/http/client/proxy.hpp"

#include "spec/http/host.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace spec::http::client {

using Found = std::optional<Proxy>;
using spec::text::equals_ignoring_case;

namespace {

std::string variable(const char* upper, const char* lower) {
  for (const auto* name : {lower, upper}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
      return value;
    }
  }
  return {};
}

bool ends_with_ignoring_case(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         equals_ignoring_case(text.substr(text.size() - end.size()), end);
}

// One entry of NO_PROXY.
bool excludes(std::string_view entry, std::string_view host, int port) {
  if (entry == "*") {
    return true;
  }
  const auto colon = entry.rfind(':');
  const bool has_port = colon != std::string_view::npos && entry.find(':') == colon;
  if (has_port) {
    if (entry.substr(colon + 1) != std::to_string(port)) {
      return false;
    }
    entry = entry.substr(0, colon);
  }
  if (entry.starts_with("*.")) {
    entry.remove_prefix(1);
  }
  if (entry.starts_with('.')) {
    return ends_with_ignoring_case(host, entry) || equals_ignoring_case(host, entry.substr(1));
  }
  return !entry.empty() && (equals_ignoring_case(host, entry) ||
                            ends_with_ignoring_case(host, '.' + std::string(entry)));
}

bool is_excluded(std::string_view list, std::string_view host, int port) {
  while (!list.empty()) {
    const auto end = std::min(list.find_first_of(", "), list.size());
    if (excludes(list.substr(0, end), host, port)) {
      return true;
    }
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// "http://user:word@host:3128/" or "host:3128".
std::optional<Proxy> parse_proxy(std::string_view text) {
  Proxy proxy;
  if (const auto scheme = text.find("://"); scheme != std::string_view::npos) {
    if (!equals_ignoring_case(text.substr(0, scheme), "http")) {
      return std::nullopt;
    }
    text.remove_prefix(scheme + 3);
  }
  text = text.substr(0, text.find('/'));
  if (const auto at = text.rfind('@'); at != std::string_view::npos) {
    const auto user = text.substr(0, at);
    proxy.authorization =
        "Basic " +
        spec::text::to_base64(spec::text::percent_decode(user).value_or(std::string(user)));
    text.remove_prefix(at + 1);
  }
  const auto close = text.find(']');
  const auto colon = text.find(':', close == std::string_view::npos ? 0 : close);
  proxy.host = text.substr(0, colon);
  if (text.starts_with('[') && close != std::string_view::npos) {
    proxy.host = text.substr(1, close - 1);
  }
  if (colon != std::string_view::npos) {
    proxy.port = spec::http::parse_port(text.substr(colon + 1)).value_or(0);
  }
  return proxy.host.empty() || proxy.port == 0 ? std::nullopt : std::optional(std::move(proxy));
}

}  // namespace

std::string in_brackets(const std::string& host) {
  return host.find(':') == std::string::npos ? host : '[' + host + ']';
}

std::string Proxy::authority() const {
  return in_brackets(host) + ':' + std::to_string(port);
}

std::string Proxy::authorization_line() const {
  return authorization.empty() ? "" : "Proxy-Authorization: " + authorization + "\r\n";
}

ProxyEnvironment read_proxy_environment() {
  return {.http = variable("HTTP_PROXY", "http_proxy"),
          .https = variable("HTTPS_PROXY", "https_proxy"),
          .none = variable("NO_PROXY", "no_proxy")};
}

spec::Result<Found, std::string> proxy_for(bool tls, std::string_view host, int port,
                                           const ProxyEnvironment& environment) {
  const auto& text = tls ? environment.https : environment.http;
  if (text.empty() || spec::http::is_loopback_host(host) ||
      is_excluded(environment.none, host, port)) {
    return Found{};
  }
  auto proxy = parse_proxy(text);
  if (!proxy) {
    // The value is not shown: it may hold a password.
    return spec::Unexpected{std::string(tls ? "HTTPS_PROXY" : "HTTP_PROXY") +
                            " must be http://[USER:PASSWORD@]HOST[:PORT]; correct it, or add the "
                            "server to NO_PROXY"};
  }
  return Found{std::move(proxy)};
}

}  // namespace spec::http::client
