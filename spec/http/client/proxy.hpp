#pragma once

// A forward proxy between the client and the server, as the environment names it. Pure functions,
// but for read_proxy_environment().

#include "spec/result.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace spec::http::client {

// A host as an authority has it: an IPv6 address in brackets.
std::string in_brackets(const std::string& host);

struct Proxy {
  std::string host;
  int port = 80;
  std::string authorization;  // the value of Proxy-Authorization; "" for none

  std::string authority() const;  // "proxy.example:3128"
  // The line Proxy-Authorization with its end; "" where there is none.
  std::string authorization_line() const;
};

struct ProxyEnvironment {
  std::string http;   // HTTP_PROXY or http_proxy
  std::string https;  // HTTPS_PROXY or https_proxy
  std::string none;   // NO_PROXY or no_proxy
};

ProxyEnvironment read_proxy_environment();

// The proxy for a server: none for loopback and for what `none` lists (names with all below them,
// addresses, "host:port", "*"). Fails with a message that names the variable when its
// value is not the URL of a proxy.
spec::Result<std::optional<Proxy>, std::string> proxy_for(bool tls, std::string_view host, int port,
                                                          const ProxyEnvironment& environment);

}  // namespace spec::http::client
