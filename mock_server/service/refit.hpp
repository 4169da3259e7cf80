#pragma once

// What sessions keep through a reload: everything that still fits the new world.

#include "mock_server/fixtures/world.hpp"
#include "mock_server/state/store.hpp"

#include <string>
#include <vector>

namespace mock_server::service {

// Drops records that the world would refuse, and scenarios of sessions' own that it cannot play.
// Says which: "session a: records/customers/cus_1: must be ...".
std::vector<std::string> drop_what_does_not_fit(state::Store& store, const fixtures::World& world);

}  // namespace mock_server::service
