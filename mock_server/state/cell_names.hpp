#pragma once

// The names of a session's cells, for the rooms that share them.

#include "mock_server/state/cells.hpp"
#include "spec/text/ascii.hpp"

#include <cstdint>
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

// What the names of all cells of rate limits start with.
inline constexpr std::string_view kRateCells = "rate/";

// What the names of these start with.
inline constexpr std::string_view kNumberCells = "number/";
inline constexpr std::string_view kOrderCells = "order/";

// The last number that a collection gave to a record that was created in it, in decimal digits.
inline std::string number_cell(std::string_view collection) {
  return std::string(kNumberCells) + std::string(collection);
}

// The number in such a cell; 0 for a cell without text, or of a text that is no number.
inline std::uint64_t number_in(const Cell& cell) {
  return spec::text::parse_number<std::uint64_t>(cell.view()).value_or(0);
}

// The number of a created record, in decimal digits: lists show records in this order.
inline std::string order_cell(std::string_view collection, std::string_view key) {
  return std::string(kOrderCells) + std::string(collection) + '/' + std::string(key);
}

// Decimal digits.
inline constexpr std::string_view kSeedCell = "seed";

// Who answers the session's requests, if it is not as the program's flags say.
inline constexpr std::string_view kUpstreamCell = "upstream";

}  // namespace mock_server::state
