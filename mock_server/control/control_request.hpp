#pragma once

// A request to an endpoint of the control API. By then the request was routed and
// validated by the control API's document: what it declares is there, decoded, and as it must be.

#include "mock_server/api/error_table.hpp"
#include "mock_server/control/control_context.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/violation.hpp"
#include "spec/http/message.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::control {

// Error responses of the control API: the service's error shape, with every problem. Statuses and
// codes are the defaults, whatever fixtures declare.

// {"code": ..., "message": the problem}; of several: {"code": ..., "message": how many, "problems":
// [each]}. No problem is in the body twice.
spec::http::Response reject(api::ErrorKind kind, std::vector<std::string> problems);
spec::http::Response reject(api::ErrorKind kind, std::string_view problem);

// The rejection of a request that violates the contract of the control API: 415, 400 or 422, as the
// service chooses them. `others` are problems that the contract cannot express.
spec::http::Response reject(const std::vector<spec::contract::Violation>& violations,
                            std::vector<std::string> others);

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

// 422 for a body; `problem` names the place and the rule.
spec::http::Response reject_body(std::string_view problem);
// 404 that lists what there is: `what` is "session", "scenario" and so on.
spec::http::Response unknown(std::string_view what, std::string_view name,
                             const std::vector<std::string>& there_are);
// 404 for a session, with the names of those that there are.
spec::http::Response unknown_session(const ControlRequest& request, std::string_view name);
// 409: it is there already, or was changed by others again and again.
spec::http::Response conflict(std::string_view problem);
// 507: the sessions have no room for it.
spec::http::Response no_room();

// `change` reads a cell, tries to change it and says what became of that.
template <typename Change>
state::Put insist(Change change) {
  state::Put put = state::Put::kStale;
  while (put == state::Put::kStale) {
    put = change();
  }
  return put;
}

// Makes `text` the session's cell, whatever it was before; without a text it goes.
state::Put set_cell(state::Session& session, std::string_view key,
                    const std::optional<std::string>& text);

}  // namespace mock_server::control
