#pragma once

// An exchange as the bytes of an entry of the journal, and back. Numbers are in the machine's own
// order.

#include "mock_server/state/journal.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::state {

// The share of a body in a journal of so many bytes: longer ones are cut.
std::size_t max_body_bytes(std::size_t limit);

// The bodies are cut to their share of `limit`, the bytes of the whole journal.
std::string write_entry(const Exchange& exchange, std::size_t limit);

// Nothing if `bytes` are not as write_entry() makes them.
std::optional<Entry> read_entry(std::string_view bytes);

}  // namespace mock_server::state
