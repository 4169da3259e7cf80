#pragma once

// The function for each operation of the control API. A new endpoint is a path
// in the document, a function, and a line here.

#include "mock_server/control/control_request.hpp"

#include <optional>
#include <string_view>

namespace mock_server::control {

struct Route {
  std::string_view operation_id;
  reply::Reply (*handle)(const ControlRequest&);
  bool changes_by_get = false;  // a GET that changes something
};

// The route of an operation; a null pointer if there is none.
const Route* route_of(std::string_view operation_id);

// Every operation id that has a function, in no particular order.
std::vector<std::string_view> routed_operations();

}  // namespace mock_server::control
