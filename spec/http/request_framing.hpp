#pragma once

// Framing and connection of a request, decided from its field section once that is complete. A part
// of RequestParser.

#include "spec/http/message.hpp"
#include "spec/http/request_parser.hpp"

#include <cstddef>
#include <string_view>

namespace spec::http {

constexpr Rejection bad(const char* message) {
  return {400, "BAD_REQUEST", message};
}

struct RequestFraming {
  std::size_t length = 0;  // of the content, when it is not chunked
  bool chunked = false;
  bool keep_alive = true;
  bool expects_continue = false;
};

// Every "%" begins a triplet and none of them is NUL (which no server decodes alike).
bool has_sound_triplets(std::string_view text);

// "host" or "host:port" as RFC 9110 §7.2 and RFC 3986 §3.2 allow, not empty, without user info.
bool is_host(std::string_view text);

// A host with a port that is not empty: the target of CONNECT. Source: RFC 9112 §3.2.3.
bool is_authority(std::string_view text);

// Content-Length, Transfer-Encoding or Host: no trailer may be one (RFC 9110 §6.5.1).
bool is_framing_field(std::string_view name);

// Returns false and sets `rejection` if the section is contradictory or requires an unsupported
// feature. Source: RFC 9112 §3.2, §6, §9.3; RFC 9110 §10.1.1.
bool read_framing(const Headers& headers, bool is_http_1_0, const RequestLimits& limits,
                  RequestFraming& framing, Rejection& rejection);

}  // namespace spec::http
