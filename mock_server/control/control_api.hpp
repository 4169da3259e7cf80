#pragma once

// The control API under /_mock/: inspects and changes the mock itself. JSON in and out, in the
// service's error shape; acts on one session. Routed and validated by its own contract
// (control_request.hpp).
// Only callers on this machine may use it, unless a control token is set, which then every caller
// must send.

#include "mock_server/control/control_request.hpp"
#include "mock_server/reply/reply.hpp"
#include "spec/http/message.hpp"

#include <optional>
#include <string_view>

namespace mock_server::control {

// The text that every path of the control API starts with.
inline constexpr std::string_view kPrefix = "/_mock";

// The index; also at "/" where the contract has no operation there.
inline constexpr std::string_view kIndexPath = "/_mock/";

// True for "/_mock" and everything below it. `path` is without a session's prefix.
bool is_control_path(std::string_view path);

// Precondition: is_control_path(path), or "/" for the index; `path` is still encoded.
reply::Reply respond(const ControlContext& context, const spec::http::Request& request,
                     std::string_view path);

// Decides which requests may use the control API.

// The rejection of a caller without the control token or, if there is none, of one on another
// machine and of pages of other sites; nothing for those who may call. `changes`: the request
// changes something though it is a GET.
std::optional<spec::http::Response> reject_stranger(const ControlContext& context,
                                                    const spec::http::Request& request,
                                                    bool changes = false);

}  // namespace mock_server::control
