#pragma once

// Which scenarios a session has armed, and how far the rules of each have come, as texts of cells.
// Plain values; the service moves rules on, the control API arms and shows them.

#include "mock_server/state/session_clock.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::state {

struct ArmedScenario {
  std::string name;
  TimePoint at;  // by the session's clock
};

// The cell of all armed scenarios, in the order of arming.
inline constexpr std::string_view kArmedCell = "armed";

// The text of a scenario that the session brought along.
std::string own_scenario_cell(std::string_view name);

std::vector<ArmedScenario> read_armed(std::string_view text);
std::string write_armed(const std::vector<ArmedScenario>& armed);

struct RuleState {
  std::int64_t calls = 0;  // that matched
  std::size_t step = 0;    // the one that the next call takes; past the last: none any more
  std::int64_t taken = 0;  // calls that took it
  TimePoint since;         // when it began, by the session's clock
};

// The cell of a rule; the second is what the names of all cells of a scenario start with.
std::string rule_cell(std::string_view scenario, std::size_t rule);
std::string rule_cells(std::string_view scenario);

// Reads the state of a rule; any other text reads as a rule that began at `armed_at`.
RuleState read_rule_state(std::string_view text, TimePoint armed_at);
std::string write_rule_state(const RuleState& state);

}  // namespace mock_server::state
