#pragma once

// What sessions keep through a reload: everything that still fits the new loaded API.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/state/store.hpp"

#include <string>
#include <vector>

namespace mock_server::service {

// Drops records that the loaded API would reject, and scenarios of sessions' own that it cannot play.
// Says which: "session a: records/customers/cus_1: must be ...".
std::vector<std::string> revalidate_sessions(state::Store& store, const fixtures::LoadedApi& api);

}  // namespace mock_server::service
