#pragma once

// One exchange, explained: everything that was kept of it, which operation it was and why no other,
// and where what chose the response is written. Pure functions.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/state/journal.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace mock_server::control::journal {

// What was kept. Bodies are text where they are UTF-8, else base64.
nlohmann::json as_line(const state::Entry& entry, std::string_view session);

// The same with `routing`, `near_misses`, `chosen` and the lines of the contract that are violated,
// as the loaded API and its files are now.
nlohmann::json explain(const fixtures::LoadedApi& api, const state::Entry& entry,
                       std::string_view session);

}  // namespace mock_server::control::journal
