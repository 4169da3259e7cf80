#pragma once

// Exchanges as an HTTP archive, for browsers' tools and others that read HAR 1.2. Pure functions.

#include "mock_server/state/journal.hpp"

#include <nlohmann/json_fwd.hpp>

#include <deque>
#include <string>
#include <string_view>

namespace mock_server::control::journal {

// One element of `log.entries`. `scheme` is "http" or "https": what the exchange came by. What HAR
// has no member for is under `_counterpart`.
nlohmann::json har_entry(const state::Entry& entry, std::string_view scheme);

// The archive around entries that are JSON text already.
std::string har(const std::deque<std::string>& entries, std::string_view version);

}  // namespace mock_server::control::journal
