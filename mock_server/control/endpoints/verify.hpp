#pragma once

// The endpoints of the control API that count: verify, and wait until there are enough. Both may
// promise their answer for later; nothing waits meanwhile.

#include "mock_server/control/request/control_request.hpp"

namespace mock_server::control::endpoints {

using request::ControlRequest;

// 200 with the verdict "pass"; 409 with "fail" or "inconclusive" and near misses. With `timeout_ms`
// it gives the requests so long to come.
reply::Reply verify_requests(const ControlRequest& request);

// 200 once `count` requests match; 409 when they did not in time, or cannot be told.
reply::Reply wait_for_requests(const ControlRequest& request);

}  // namespace mock_server::control::endpoints
