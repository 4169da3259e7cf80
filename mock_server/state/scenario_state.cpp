#include "mock_server/state/scenario_state.hpp"

#include "mock_server/state/cells.hpp"

#include <algorithm>

namespace mock_server::state {

using std::chrono::microseconds;

// A line for each: the time, a blank, the name.
std::vector<ArmedScenario> read_armed(std::string_view text) {
  std::vector<ArmedScenario> armed;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t blank = line.find(' ');
    const auto at = read_numbers(line.substr(0, blank));
    if (blank != std::string_view::npos && at.size() == 1) {
      armed.push_back({std::string(line.substr(blank + 1)), TimePoint(microseconds(at[0]))});
    }
  }
  return armed;
}

std::string write_armed(const std::vector<ArmedScenario>& armed) {
  std::string text;
  for (const ArmedScenario& one : armed) {
    text += std::to_string(one.at.time_since_epoch().count()) + ' ' + one.name + '\n';
  }
  return text;
}

std::string own_scenario_cell(std::string_view name) {
  return "scenario/" + std::string(name);
}

std::string rule_cells(std::string_view scenario) {
  return "step/" + std::string(scenario) + '/';
}

std::string rule_cell(std::string_view scenario, std::size_t rule) {
  return rule_cells(scenario) + std::to_string(rule);
}

RuleState read_rule_state(std::string_view text, TimePoint armed_at) {
  const auto numbers = read_numbers(text);
  if (numbers.size() != 4 || numbers[1] < 0) {
    return {0, 0, 0, armed_at};
  }
  return {numbers[0], static_cast<std::size_t>(numbers[1]), numbers[2],
          TimePoint(microseconds(numbers[3]))};
}

std::string write_rule_state(const RuleState& state) {
  return write_numbers({state.calls, static_cast<std::int64_t>(state.step), state.taken,
                        state.since.time_since_epoch().count()});
}

}  // namespace mock_server::state
