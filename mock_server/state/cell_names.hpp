#pragma once

// The names of a session's cells, for the rooms that share them.

#include <string>
#include <string_view>

namespace mock_server::state {

// What the names of all cells of records start with.
inline std::string record_cells() {
  return "record/";
}

// A record as the session has it: JSON text, or an empty text for one that it removed.
inline std::string record_cell(std::string_view collection, std::string_view key) {
  return record_cells() + std::string(collection) + '/' + std::string(key);
}

// Decimal digits.
inline constexpr std::string_view kSeedCell = "seed";

}  // namespace mock_server::state
