#pragma once

// The mock's data as JSON that people and tools read: violations, journal entries,
// operations, assumptions. Pure functions.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/contract/violation.hpp"

#include <nlohmann/json_fwd.hpp>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::journal {

// Each with both pointers, and the contract's file, line and column.
nlohmann::json describe(const spec::contract::Contract& contract,
                        const std::vector<spec::contract::Violation>& violations);

// The one violation of a request that the transport rejected, in the same form; `reason` is a
// sentence.
nlohmann::json describe_rejection(std::string_view reason);

// The status that the client got: 0 when a fault left no status line.
int delivered_status(const state::Entry& entry);

// One line of a list of exchanges.
nlohmann::json summarise(const state::Entry& entry);

// Field lines in order, each as [name, value].
nlohmann::json headers_of(const spec::http::Headers& headers);

// The list of violations that an entry holds as text.
nlohmann::json violations_of(const std::string& text);

// Every operation with its responses, and what plays it.
nlohmann::json list_operations(const api::LoadedApi& api);

// The contract's assumptions, in document order.
nlohmann::json list_assumptions(const spec::contract::Contract& contract);

// One element of `log.entries`. `scheme` is "http" or "https": what the exchange came by. What HAR
// has no member for is under `_counterpart`.
nlohmann::json har_entry(const state::Entry& entry, std::string_view scheme);

// The archive around entries that are JSON text already.
std::string har(const std::deque<std::string>& entries, std::string_view version);

}  // namespace mock_server::journal
