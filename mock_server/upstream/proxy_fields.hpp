#pragma once

// The header fields of messages that are passed on. Pure functions.

#include "spec/http/message.hpp"

#include <string_view>

namespace mock_server::upstream {

// The end-to-end fields: without Connection, what it names, and the other fields of one connection.
// Source: RFC 9110 §7.6.1.
spec::http::Headers end_to_end(const spec::http::Headers& headers);

// The request as the service gets it: end-to-end fields without our own (X-Counterpart-*) and
// Expect, Host and Content-Length for `authority` and the body, Via with `pseudonym`, and one less
// in the Max-Forwards of OPTIONS and TRACE. `target` is what is asked for. Source: RFC 9110 §7.6.2,
// §7.6.3, §10.1.1.
spec::http::Request to_service(const spec::http::Request& request, std::string_view target,
                               std::string_view authority, std::string_view pseudonym);

// False for a request that must not be passed on: OPTIONS or TRACE with "Max-Forwards: 0".
// Source: RFC 9110 §7.6.2.
bool may_go_on(const spec::http::Request& request);

// True if the request has been here before.
bool has_been_here(const spec::http::Request& request, std::string_view pseudonym);

// True if a response with this status to a request with these fields is one of HTTP itself, which a
// contract need not describe: unchanged (304), or, where the request asks for a range, a part (206)
// or none (416). Source: RFC 9110 §15.3.7, §15.4.5, §15.5.17.
bool is_unchanged_or_part(int status, const spec::http::Headers& request);

}  // namespace mock_server::upstream
