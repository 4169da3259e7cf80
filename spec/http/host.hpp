#pragma once

// Names of hosts as requests and command lines give them. Pure functions.

#include <string_view>

namespace spec::http {

// True for a name or address that leads to this machine alone: "localhost" and all below it
// (RFC 6761 §6.3), 127.0.0.0/8, "::1" with or without brackets. Without a port.
bool is_loopback_host(std::string_view host);

}  // namespace spec::http
