#pragma once

// A request to an endpoint of the control API. By then the request was routed and
// validated by the control API's document: what it declares is there, decoded, and as it must be.

#include "mock_server/control/request/control_context.hpp"
#include "mock_server/reply/reply.hpp"
#include "spec/contract/checking/validate.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::control::request {

struct ControlRequest {
  const ControlContext& context;
  const spec::http::Request& http;
  const spec::contract::Operation& operation;
  spec::contract::RequestReading reading;
  std::vector<std::string> arguments;  // the path's values, decoded, in the template's order
  std::string argument;                // the last of them; "" when there is none

  // The decoded query parameter; a null pointer when it was not given.
  const nlohmann::json* query(std::string_view name) const;
};

}  // namespace mock_server::control::request
