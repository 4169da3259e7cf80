#include "spec/net/base_url.hpp"

#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace spec::net {

namespace {

using Failure = Unexpected<std::string>;

constexpr int kHttpPort = 80;
constexpr int kHttpsPort = 443;

bool take_scheme(std::string_view& rest, BaseUrl& url) {
  const auto colon = rest.find("://");
  if (colon == std::string_view::npos) {
    return false;
  }
  const auto scheme = rest.substr(0, colon);
  url.tls = text::equals_ignoring_case(scheme, "https");
  url.port = url.tls ? kHttpsPort : kHttpPort;
  rest.remove_prefix(colon + 3);
  return url.tls || text::equals_ignoring_case(scheme, "http");
}

// Splits "host:port" or "[v6]:port"; false when there is no host or no such port.
bool take_authority(std::string_view authority, BaseUrl& url) {
  std::string_view port;
  if (authority.starts_with('[')) {
    const auto close = authority.find(']');
    if (close == std::string_view::npos) {
      return false;
    }
    url.host = authority.substr(1, close - 1);
    port = authority.substr(close + 1);
  } else {
    const auto colon = authority.find(':');
    url.host = authority.substr(0, colon);
    port = colon == std::string_view::npos ? std::string_view{} : authority.substr(colon);
  }
  if (port.empty()) {
    return !url.host.empty();
  }
  const auto number = parse_port(port.substr(1));
  url.port = number.value_or(0);
  return port.front() == ':' && number && !url.host.empty();
}

}  // namespace

std::string BaseUrl::authority() const {
  auto text = in_brackets(host);
  if (port != (tls ? kHttpsPort : kHttpPort)) {
    text += ':' + std::to_string(port);
  }
  return text;
}

std::string BaseUrl::text() const {
  return (tls ? "https://" : "http://") + authority() + prefix;
}

bool BaseUrl::is_loopback() const {
  return is_loopback_host(host);
}

Result<BaseUrl, std::string> parse_base_url(std::string_view text) {
  BaseUrl url;
  auto rest = text;
  if (!take_scheme(rest, url)) {
    return Failure{"must start with http:// or https://"};
  }
  if (rest.find_first_of("?#@ \t\r\n") != std::string_view::npos) {
    return Failure{"must not contain a query, fragment, user name or space"};
  }
  const auto slash = rest.find('/');
  if (!take_authority(rest.substr(0, slash), url)) {
    return Failure{"must be http://HOST[:PORT][/PATH] with a port from 1 to 65535"};
  }
  if (slash != std::string_view::npos) {
    url.prefix = rest.substr(slash);
    url.names_a_path = true;
  }
  while (url.prefix.ends_with('/')) {
    url.prefix.pop_back();
  }
  return url;
}

using Found = std::optional<Proxy>;
using text::equals_ignoring_case;

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

// True if this entry of NO_PROXY names the host.
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
        "Basic " + text::to_base64(text::percent_decode(user).value_or(std::string(user)));
    text.remove_prefix(at + 1);
  }
  const auto close = text.find(']');
  const auto colon = text.find(':', close == std::string_view::npos ? 0 : close);
  proxy.host = text.substr(0, colon);
  if (text.starts_with('[') && close != std::string_view::npos) {
    proxy.host = text.substr(1, close - 1);
  }
  if (colon != std::string_view::npos) {
    proxy.port = parse_port(text.substr(colon + 1)).value_or(0);
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

Result<Found, std::string> proxy_for(bool tls, std::string_view host, int port,
                                     const ProxyEnvironment& environment) {
  const auto& text = tls ? environment.https : environment.http;
  if (text.empty() || is_loopback_host(host) || is_excluded(environment.none, host, port)) {
    return Found{};
  }
  auto proxy = parse_proxy(text);
  if (!proxy) {
    // The value is not shown: it may hold a password.
    return Unexpected{std::string(tls ? "HTTPS_PROXY" : "HTTP_PROXY") +
                      " must be http://[USER:PASSWORD@]HOST[:PORT]; correct it, or add the "
                      "server to NO_PROXY"};
  }
  return Found{std::move(proxy)};
}

bool is_loopback_host(std::string_view host) {
  constexpr std::string_view kName = "localhost";
  if (host == "::1" || host == "[::1]") {
    return true;
  }
  // "127.example" is a host name, not an address.
  if (host.starts_with("127.")) {
    return host.find_first_not_of("0123456789.") == std::string_view::npos;
  }
  if (host.size() < kName.size() ||
      !text::equals_ignoring_case(host.substr(host.size() - kName.size()), kName)) {
    return false;
  }
  return host.size() == kName.size() || host[host.size() - kName.size() - 1] == '.';
}

std::optional<int> parse_port(std::string_view text) {
  constexpr int kMax = 65'535;
  const auto port = text::parse_number<int>(text);
  return port && *port >= 1 && *port <= kMax ? port : std::nullopt;
}

std::string request_head(const http::Request& request, const BaseUrl& url) {
  const bool by_proxy = url.proxy && !url.tls;
  std::string bytes = request.method + ' ' + (by_proxy ? "http://" + url.authority() : "") +
                      request.target + " HTTP/1.1\r\n";
  if (by_proxy) {
    bytes += url.proxy->authorization_line();
  }
  for (const auto& [name, value] : request.headers.lines()) {
    bytes.append(name).append(": ").append(value).append("\r\n");
  }
  return bytes + "\r\n";
}

}  // namespace spec::net
