#pragma once

// One exchange, explained: everything that was kept of it, which operation it was and why no other,
// and where what chose the response is written. Pure functions.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::journal {

class ContractLines {
 public:
  explicit ContractLines(const spec::contract::Contract& contract) : contract_(contract) {}

  // {"file", "first", "line", "text"}: the line of a statement, as describe() shows it, and up to
  // three lines before and after it. Null where no file says it, or the file has no such line (any
  // more).
  nlohmann::json around(const nlohmann::json& statement);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);

  const spec::contract::Contract& contract_;
  std::map<std::string, std::vector<std::string>> read_;  // by the name in statements
};

// The stored entry. Bodies are text if they are UTF-8, else base64.
nlohmann::json as_line(const state::Entry& entry, std::string_view session);

// The same with `routing`, `near_misses`, `chosen` and the lines of the contract that are violated,
// as the loaded API and its files are now.
nlohmann::json explain(const api::LoadedApi& api, const state::Entry& entry,
                       std::string_view session);

struct NearestLimits {
  std::size_t operations = 3;
  // Two for each equal segment, one for a probably misspelt one.
  std::size_t min_points = 1;
};

// Nearest first: those with the most equal segments; among equals, first those of the same method,
// then those with the nearest number of segments. The path's first segments may be a server's.
// `path` is without a session's prefix.
std::vector<const spec::contract::Operation*> nearest_operations(
    const spec::contract::Contract& contract, std::string_view method, std::string_view path,
    const NearestLimits& limits = {});

}  // namespace mock_server::journal
