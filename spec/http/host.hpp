#pragma once

// Names of hosts as requests and command lines give them. Pure functions.

#include <optional>
#include <string_view>

namespace spec::http {

// True for a name or address that leads to this machine alone: "localhost" and all below it
// (RFC 6761 §6.3), 127.0.0.0/8, "::1" with or without brackets. Without a port.
bool is_loopback_host(std::string_view host);

// The port that the whole of `text` is, 1 to 65535; nothing for anything else.
std::optional<int> parse_port(std::string_view text);

}  // namespace spec::http
