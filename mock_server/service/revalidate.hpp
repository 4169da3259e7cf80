#pragma once

// After a reload: sessions keep the changes that are valid with the new loaded API.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/state/session_store.hpp"

#include <string>
#include <vector>

namespace mock_server::service {

// Drops records that the loaded API would reject, and invalid scenarios of sessions; what belongs
// to a collection that is not there now stays, unused. Where the state is shared nothing is
// dropped: other mocks may know it by another version of the contract. Returns what was dropped:
// "session a: records/customers/cus_1: must be ...".
std::vector<std::string> revalidate_sessions(state::Store& store, const api::LoadedApi& api);

}  // namespace mock_server::service
