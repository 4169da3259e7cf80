#pragma once

// An exchange as the bytes of an entry of the journal, and back. Numbers are in the machine's own
// order.

#include "mock_server/state/journal.hpp"

#include <cstddef>
#include <string_view>

namespace mock_server::state {

// The parts of an exchange that may be long, cut to what an entry may take. Views of the exchange.
struct CutBodies {
  std::string_view request_body;
  std::string_view response_body;
};

// `limit`: bytes of the whole journal.
CutBodies cut_bodies(const Exchange& exchange, std::size_t limit);

// Bytes that the entry takes at most.
std::size_t most_size_of(const Exchange& exchange, const CutBodies& cut);

// Writes the entry from `at` on, which has room for most_size_of(). Returns the end of what was
// written.
const char* write_entry(const Exchange& exchange, const CutBodies& cut, char* at);

// Precondition: is_entry() of the bytes from `at` on.
Entry read_entry(const char* at);

// Whether `bytes` are an entry as write_entry() makes it: every length fits.
bool is_entry(std::string_view bytes);

}  // namespace mock_server::state
