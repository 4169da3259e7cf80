#pragma once

// Who may use the control API.

#include "mock_server/control/request/control_context.hpp"
#include "spec/http/message.hpp"

#include <optional>

namespace mock_server::control::request {

// The rejection of a caller without the control token or, if there is none, of one on another
// machine and of pages of other sites; nothing for those who may call. `changes`: the request
// changes something though it is a GET.
std::optional<spec::http::Response> reject_stranger(const ControlContext& context,
                                                    const spec::http::Request& request,
                                                    bool changes = false);

}  // namespace mock_server::control::request
