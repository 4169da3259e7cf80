#pragma once

// Names of fields that are of one connection or of one transfer, and not of the message itself. For
// whoever passes a message on, keeps it, or validates it.

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace spec::http {

// `Connection` may name more. Source: RFC 9110 §7.6.1; RFC 2616 §13.5.1 for `Trailer`.
inline bool is_of_connection(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kNames{
      "Connection", "Keep-Alive", "Proxy-Connection", "TE",
      "Trailer",    "Upgrade",    "Transfer-Encoding"};
  return std::ranges::any_of(
      kNames, [name](std::string_view one) { return text::equals_ignoring_case(one, name); });
}

// These, and those of the bytes of a body, which differ with what a client accepts.
// Source: RFC 9110 §8.4, §8.6.
inline bool is_of_transfer(std::string_view name) {
  return is_of_connection(name) || text::equals_ignoring_case(name, "Content-Length") ||
         text::equals_ignoring_case(name, "Content-Encoding");
}

}  // namespace spec::http
