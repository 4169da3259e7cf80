#pragma once

// What endpoints of the control API share: rejections that list what there is, and changes of cells
// that are tried until no other is quicker.

#include "mock_server/control/error_response.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/http/message.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::control {

// 422 for a body; `problem` names the place and the rule.
spec::http::Response reject_body(std::string_view problem);
// 404 that lists what there is: `what` is "session", "scenario" and so on.
spec::http::Response unknown(std::string_view what, std::string_view name,
                             const std::vector<std::string>& there_are);
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

}  // namespace mock_server::control
