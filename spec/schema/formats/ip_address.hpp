#pragma once

// Addresses of the Internet protocols, as text. Pure functions, safe from any thread.

#include <string_view>

namespace spec::schema::formats {

// Dotted decimal without leading zeros. Source: RFC 2673 §3.2.
bool is_ipv4(std::string_view text);
// Without zone. Source: RFC 4291 §2.2.
bool is_ipv6(std::string_view text);

}  // namespace spec::schema::formats
