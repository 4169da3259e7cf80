#pragma once

// Which function answers which operation of the control API's document. A new endpoint is a path
// in the document, a function, and a line here.

#include "mock_server/control/control_request.hpp"

#include <optional>
#include <string_view>

namespace mock_server::control {

struct Route {
  std::string_view operation_id;
  reply::Reply (*answer)(const ControlRequest&);
  bool changes_by_get = false;  // a GET that changes something
};

// The route of an operation; a null pointer when nothing answers it.
const Route* route_of(std::string_view operation_id);

// Every operation id that has a function, in no particular order.
std::vector<std::string_view> routed_operations();

}  // namespace mock_server::control
