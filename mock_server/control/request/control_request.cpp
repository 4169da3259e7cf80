#include "mock_server/control/request/control_request.hpp"

#include <nlohmann/json.hpp>

namespace mock_server::control::request {

const nlohmann::json* ControlRequest::query(std::string_view name) const {
  const auto found = reading.query.find(name);
  return found == reading.query.end() ? nullptr : &*found;
}

}  // namespace mock_server::control::request
