#pragma once

// The base URL of a server under test. Pure functions.

#include "spec/http/client/proxy.hpp"
#include "spec/result.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace spec::http::client {

struct BaseUrl {
  bool tls = false;
  std::string host;  // a name or address, without the brackets of IPv6
  int port = 80;
  std::string prefix;         // path before every operation's, "" or "/v1", never ending in "/"
  bool names_a_path = false;  // its text has a path, be it "/" alone
  std::optional<Proxy> proxy = std::nullopt;  // how it is reached; of proxy_for()

  // "127.0.0.1:4010", "[::1]:80"; without the port when it is the scheme's own.
  std::string authority() const;
  // "http://127.0.0.1:4010/v1".
  std::string text() const;
  bool is_loopback() const;
};

// Fails with a message for anything but http or https with a host and no query, fragment or user.
// Source: RFC 9110 §4.2, RFC 3986 §3.
spec::Result<BaseUrl, std::string> parse_base_url(std::string_view text);

}  // namespace spec::http::client
