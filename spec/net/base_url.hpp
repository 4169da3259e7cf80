#pragma once

// Base URLs, hosts and proxies of servers, and the head of a request to one. Pure functions, but
// for read_proxy_environment().

#include "spec/http/message.hpp"
#include "spec/result.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace spec::net {

// A host as an authority has it: an IPv6 address in brackets.
std::string in_brackets(const std::string& host);

struct Proxy {
  std::string host;
  int port = 80;
  std::string authorization;  // the value of Proxy-Authorization; "" if there is none

  std::string authority() const;  // "proxy.example:3128"
  // The line Proxy-Authorization with its line end; "" without credentials.
  std::string authorization_line() const;
};

struct ProxyEnvironment {
  std::string http;   // HTTP_PROXY or http_proxy
  std::string https;  // HTTPS_PROXY or https_proxy
  std::string none;   // NO_PROXY or no_proxy
};

ProxyEnvironment read_proxy_environment();

// The proxy for a server: none for loopback and for hosts in `none` (names with all below them,
// addresses, "host:port", "*"). Fails with a message that names the variable if its value is not
// the URL of a proxy.
Result<std::optional<Proxy>, std::string> proxy_for(bool tls, std::string_view host, int port,
                                                    const ProxyEnvironment& environment);

struct BaseUrl {
  bool tls = false;
  std::string host;  // a name or address, without the brackets of IPv6
  int port = 80;
  std::string prefix;         // path before every operation's, "" or "/v1", never ending in "/"
  bool names_a_path = false;  // its text has a path, be it "/" alone
  std::optional<Proxy> proxy = std::nullopt;  // how it is reached; of proxy_for()

  // "127.0.0.1:4010", "[::1]:80"; without the port if it is the scheme's default.
  std::string authority() const;
  // "http://127.0.0.1:4010/v1".
  std::string text() const;
  bool is_loopback() const;
};

// Fails with a message for anything but http or https with a host and no query, fragment or user.
// Source: RFC 9110 §4.2, RFC 3986 §3.
Result<BaseUrl, std::string> parse_base_url(std::string_view text);

// True for a name or address that leads to this machine alone: "localhost" and all below it
// (RFC 6761 §6.3), 127.0.0.0/8, "::1" with or without brackets. Without a port.
bool is_loopback_host(std::string_view host);

// The port, 1 to 65535, that is the whole of `text`; none for any other text.
std::optional<int> parse_port(std::string_view text);

// The request line, the header fields and the empty line, for the server or its proxy. A proxy for
// plain HTTP gets the whole URI and the credentials for it. Source: RFC 9112 §3.2.2.
std::string request_head(const http::Request& request, const BaseUrl& url);

}  // namespace spec::net
