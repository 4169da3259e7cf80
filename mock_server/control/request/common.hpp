#pragma once

// What endpoints of the control API share: rejections that list what there is, and changes of cells
// that are tried until no other is quicker.

#include "mock_server/control/request/control_request.hpp"
#include "mock_server/control/request/error_response.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/http/message.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::control::request {

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

}  // namespace mock_server::control::request
