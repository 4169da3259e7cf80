#include "mock_server/control/scenarios.hpp"

#include "mock_server/control/common.hpp"
#include "mock_server/fixtures/instant.hpp"
#include "mock_server/fixtures/progress.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace mock_server::control {
namespace {

using fixtures::Scenario;
using fixtures::ScenarioRule;
using nlohmann::json;
using reply::json_response;
using spec::http::Response;
using state::Armed;
using state::RuleState;
using state::Session;

std::shared_ptr<const Scenario> find_scenario(const ControlRequest& ask) {
  return fixtures::find_scenario(ask.context.api, ask.context.session, ask.argument);
}

bool is_own(const ControlRequest& ask, std::string_view name) {
  return static_cast<bool>(ask.context.session.read(state::own_scenario_cell(name)));
}

Response unknown_scenario(const ControlRequest& ask) {
  return unknown("scenario", ask.argument,
                 fixtures::scenario_names(ask.context.api, ask.context.session));
}

std::vector<Armed> armed_in(const Session& session) {
  const state::Cell cell = session.read(state::kArmedCell);
  return cell ? state::read_armed(*cell.text) : std::vector<Armed>{};
}

std::optional<Armed> armed_in(const Session& session, std::string_view name) {
  const auto all = armed_in(session);
  const auto found = std::ranges::find(all, name, &Armed::name);
  return found == all.end() ? std::nullopt : std::optional(*found);
}

json describe_rule(const Session& session, const Scenario& scenario, std::size_t index,
                   const std::optional<Armed>& armed) {
  const ScenarioRule& rule = scenario.rules[index];
  json operations = json::array();
  for (const auto* const operation : rule.operations) {
    operations.push_back(operation->id);
  }
  json shown{{"name", rule.name}, {"operations", operations}, {"steps", rule.steps.size()}};
  if (!armed) {
    return shown;
  }
  const state::Cell cell = session.read(state::rule_cell(scenario.name, index));
  const RuleState state = fixtures::at_time(
      rule, state::read_rule_state(cell ? *cell.text : std::string{}, armed->at), session.now());
  shown["calls"] = state.calls;
  shown["step"] = fixtures::step_of(rule, state) != nullptr ? json(state.step) : json(nullptr);
  shown["taken"] = state.taken;
  return shown;
}

json describe_scenario(const ControlRequest& ask, const Scenario& scenario) {
  const auto armed = armed_in(ask.context.session, scenario.name);
  const auto place = scenario.node.place();
  json rules = json::array();
  for (std::size_t index = 0; index < scenario.rules.size(); ++index) {
    rules.push_back(describe_rule(ask.context.session, scenario, index, armed));
  }
  json shown{{"session", ask.context.session.name()}, {"name", scenario.name},
             {"description", scenario.description}, {"file", place.file},
             {"armed", armed.has_value()},          {"rules", std::move(rules)}};
  shown["own"] = is_own(ask, scenario.name);
  if (armed) {
    shown["armed_at"] = fixtures::to_text(armed->at);
  }
  return shown;
}

Response shown(const ControlRequest& ask, const Scenario& scenario) {
  return json_response(200, describe_scenario(ask, scenario));
}

// The rules forget how far they have come.
void forget_steps(const ControlRequest& ask, std::string_view scenario) {
  const std::string start = state::rule_cells(scenario);
  for (const auto& [name, cell] : ask.context.session.cells()) {
    if (name.starts_with(start)) {
      insist([&, &key = name] {
        return ask.context.session.compare_and_set(key, ask.context.session.read(key).version,
                                                 std::nullopt);
      });
    }
  }
}

// Takes the scenario from the list of armed ones, and puts it at its end again when `arm`.
state::Put change_armed(const ControlRequest& ask, std::string_view scenario, bool arm) {
  Session& session = ask.context.session;
  return insist([&] {
    const state::Cell cell = session.read(state::kArmedCell);
    auto armed = cell ? state::read_armed(*cell.text) : std::vector<Armed>{};
    std::erase_if(armed, [&](const Armed& one) { return one.name == scenario; });
    if (arm) {
      armed.push_back({std::string(scenario), session.now()});
    }
    return session.compare_and_set(
        state::kArmedCell, cell.version,
        armed.empty() ? std::nullopt : std::optional(state::write_armed(armed)));
  });
}

state::Put move_on(Session& session, const Scenario& scenario, std::size_t index,
                   state::TimePoint armed_at) {
  const ScenarioRule& rule = scenario.rules[index];
  const std::string name = state::rule_cell(scenario.name, index);
  return insist([&] {
    const state::Cell cell = session.read(name);
    const RuleState state = fixtures::at_time(
        rule, state::read_rule_state(cell ? *cell.text : std::string{}, armed_at), session.now());
    if (fixtures::step_of(rule, state) == nullptr) {
      return state::Put::kDone;
    }
    return session.compare_and_set(
        name, cell.version,
        state::write_rule_state(fixtures::at_next_step(rule, state, session.now())));
  });
}

}  // namespace

Response list_scenarios(const ControlRequest& ask) {
  json list = json::array();
  for (const auto& name : fixtures::scenario_names(ask.context.api, ask.context.session)) {
    if (const auto scenario = fixtures::find_scenario(ask.context.api, ask.context.session, name)) {
      list.push_back(describe_scenario(ask, *scenario));
    }
  }
  return json_response(200, {{"session", ask.context.session.name()}, {"scenarios", list}});
}

Response show_scenario(const ControlRequest& ask) {
  const auto scenario = find_scenario(ask);
  return scenario != nullptr ? shown(ask, *scenario) : unknown_scenario(ask);
}

Response arm_scenario(const ControlRequest& ask) {
  const auto scenario = find_scenario(ask);
  if (scenario == nullptr) {
    return unknown_scenario(ask);
  }
  forget_steps(ask, scenario->name);
  return change_armed(ask, scenario->name, true) == state::Put::kDone ? shown(ask, *scenario)
                                                                      : no_room();
}

std::optional<Response> keep_own_scenario(const ControlRequest& ask, std::string_view scenario,
                                          const json& body, std::vector<std::string>& warnings) {
  const std::string text = spec::json::write(body);
  const auto read =
      ask.context.api.own_scenarios->read(ask.context.api, std::string(scenario), text);
  if (!read->problems.empty()) {
    std::vector<std::string> lines;
    for (const auto& problem : read->problems) {
      lines.push_back("body" + problem.pointer + ": " + problem.message);
    }
    return reject(fixtures::ErrorKind::kInvalidBody, std::move(lines));
  }
  for (const auto& warning : read->warnings) {
    warnings.push_back("body" + warning.pointer + ": " + warning.message);
  }
  Session& session = ask.context.session;
  const std::string name = state::own_scenario_cell(scenario);
  const auto put =
      insist([&] { return session.compare_and_set(name, session.read(name).version, text); });
  forget_steps(ask, scenario);
  return put == state::Put::kDone && change_armed(ask, scenario, true) == state::Put::kDone
             ? std::nullopt
             : std::optional(no_room());
}

void drop_own_scenario(const ControlRequest& ask, std::string_view scenario) {
  change_armed(ask, scenario, false);
  forget_steps(ask, scenario);
  Session& session = ask.context.session;
  const std::string own = state::own_scenario_cell(scenario);
  insist([&] { return session.compare_and_set(own, session.read(own).version, std::nullopt); });
}

Response put_scenario(const ControlRequest& ask) {
  if (!state::is_session_name(ask.argument)) {
    return reject(fixtures::ErrorKind::kInvalidParameters,
                  "path: a scenario's name must be 1 to 64 letters, digits, '.', '_' or '-'");
  }
  std::vector<std::string> warnings;
  auto rejection = keep_own_scenario(ask, ask.argument, *ask.reading.body, warnings);
  Response response = rejection ? std::move(*rejection) : show_scenario(ask);
  reply::add_warnings(response, warnings);
  return response;
}

Response reset_scenario(const ControlRequest& ask) {
  const auto scenario = find_scenario(ask);
  if (scenario == nullptr) {
    return unknown_scenario(ask);
  }
  change_armed(ask, scenario->name, false);
  forget_steps(ask, scenario->name);
  return shown(ask, *scenario);
}

Response advance_scenario(const ControlRequest& ask) {
  const auto scenario = find_scenario(ask);
  if (scenario == nullptr) {
    return unknown_scenario(ask);
  }
  const auto armed = armed_in(ask.context.session, scenario->name);
  if (!armed) {
    return conflict("the session has not armed scenario \"" + scenario->name + '"');
  }
  const json* const one = ask.query("rule");
  const auto only = one != nullptr ? one->get<std::size_t>() : std::size_t{0};
  if (one != nullptr && only >= scenario->rules.size()) {
    return reject(fixtures::ErrorKind::kInvalidParameters,
                  "query/rule: must be less than " + std::to_string(scenario->rules.size()) +
                      ", but is " + std::to_string(only));
  }
  for (std::size_t index = 0; index < scenario->rules.size(); ++index) {
    const bool chosen = one == nullptr || index == only;
    if (chosen && move_on(ask.context.session, *scenario, index, armed->at) != state::Put::kDone) {
      return no_room();
    }
  }
  return shown(ask, *scenario);
}

Response disarm_scenario(const ControlRequest& ask) {
  const auto scenario = find_scenario(ask);
  if (scenario == nullptr) {
    return unknown_scenario(ask);
  }
  change_armed(ask, scenario->name, false);
  forget_steps(ask, scenario->name);
  Response last = shown(ask, *scenario);
  drop_own_scenario(ask, scenario->name);
  return last;
}

Response disarm_all(const ControlRequest& ask) {
  for (const Armed& armed : armed_in(ask.context.session)) {
    change_armed(ask, armed.name, false);
    forget_steps(ask, armed.name);
  }
  return list_scenarios(ask);
}

}  // namespace mock_server::control
