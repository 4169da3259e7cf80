#include "spec/http/client/base_url.hpp"

#include "spec/http/host.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"

#include <optional>

namespace spec::http::client {

namespace {

using Failure = spec::Unexpected<std::string>;

constexpr int kHttpPort = 80;
constexpr int kHttpsPort = 443;

bool take_scheme(std::string_view& rest, BaseUrl& url) {
  const auto colon = rest.find("://");
  if (colon == std::string_view::npos) {
    return false;
  }
  const auto scheme = rest.substr(0, colon);
  url.tls = spec::text::equals_ignoring_case(scheme, "https");
  url.port = url.tls ? kHttpsPort : kHttpPort;
  rest.remove_prefix(colon + 3);
  return url.tls || spec::text::equals_ignoring_case(scheme, "http");
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
  return spec::http::is_loopback_host(host);
}

spec::Result<BaseUrl, std::string> parse_base_url(std::string_view text) {
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

}  // namespace spec::http::client
