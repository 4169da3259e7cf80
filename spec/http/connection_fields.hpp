#pragma once

// Names of fields that are of one connection or of one transfer, and not of the message itself; and
// of those that may be ignored. For whoever passes a message on, keeps it, or validates it.

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

// Fields of a request that a server may ignore, whatever their value: with one that is invalid the
// request is as good as without. Source: RFC 7240 §2; RFC 9110 §10.1.4, §12.5, §13.1.3, §13.1.4,
// §14.2; RFC 9111 §5.2; Trace Context §3.3.
inline bool is_ignored_where_invalid(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kNames{"Prefer",
                                                           "If-Modified-Since",
                                                           "If-Unmodified-Since",
                                                           "Range",
                                                           "If-Range",
                                                           "Accept",
                                                           "Accept-Charset",
                                                           "Accept-Encoding",
                                                           "Accept-Language",
                                                           "Cache-Control",
                                                           "Pragma",
                                                           "TE",
                                                           "traceparent",
                                                           "tracestate"};
  return std::ranges::any_of(
      kNames, [name](std::string_view one) { return text::equals_ignoring_case(one, name); });
}

}  // namespace spec::http
