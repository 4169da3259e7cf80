#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/scenario.hpp"
#include "mock_server/control/control_request.hpp"
#include "mock_server/control/endpoints.hpp"
#include "mock_server/reply/fault.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::control {

namespace {

using api::Scenario;
using api::ScenarioRule;
using nlohmann::json;
using reply::json_response;
using spec::http::Response;
using state::ArmedScenario;
using state::RuleState;
using state::Session;

bool is_own(const ControlRequest& request, std::string_view name) {
  return static_cast<bool>(request.context.session.read(state::own_scenario_cell(name)));
}

std::vector<ArmedScenario> armed_in(const Session& session) {
  return state::read_armed(session.read(state::kArmedCell).view());
}

std::optional<ArmedScenario> armed_in(const Session& session, std::string_view name) {
  const auto all = armed_in(session);
  const auto found = std::ranges::find(all, name, &ArmedScenario::name);
  return found == all.end() ? std::nullopt : std::optional(*found);
}

json describe_rule(const Session& session, const Scenario& scenario, std::size_t index,
                   const std::optional<ArmedScenario>& armed) {
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
  const RuleState state =
      api::at_time(rule, state::read_rule_state(cell.view(), armed->at), session.now());
  shown["calls"] = state.calls;
  shown["step"] = api::step_of(rule, state) != nullptr ? json(state.step) : json(nullptr);
  shown["taken"] = state.taken;
  return shown;
}

json describe_scenario(const ControlRequest& request, const Scenario& scenario) {
  const auto armed = armed_in(request.context.session, scenario.name);
  const auto place = scenario.node.place();
  const auto for_all = request.context.store.armed_for_all();
  json rules = json::array();
  bool over = armed.has_value();
  for (std::size_t index = 0; index < scenario.rules.size(); ++index) {
    json rule = describe_rule(request.context.session, scenario, index, armed);
    over = over && rule["step"].is_null();
    rules.push_back(std::move(rule));
  }
  json shown{{"session", request.context.session.name()},
             {"name", scenario.name},
             {"description", scenario.description},
             {"file", place.file},
             {"armed", armed.has_value()},
             {"over", over},
             {"for_all", std::ranges::find(for_all, scenario.name) != for_all.end()},
             {"rules", std::move(rules)}};
  shown["own"] = is_own(request, scenario.name);
  if (armed) {
    shown["armed_at"] = state::to_text(armed->at);
  }
  return shown;
}

// Resets the progress of the rules.
void forget_steps(Session& session, std::string_view scenario) {
  for (const auto& entry : session.cells(state::rule_cells(scenario))) {
    set_cell(session, entry.first, std::nullopt);
  }
}

// Removes the scenario from the list of armed ones, and adds it at the end if `arm`; from its first
// steps.
state::Put change_armed(Session& session, std::string_view scenario, bool arm) {
  forget_steps(session, scenario);
  return insist([&] {
    const state::Cell cell = session.read(state::kArmedCell);
    auto armed = state::read_armed(cell.view());
    std::erase_if(armed, [&](const ArmedScenario& one) { return one.name == scenario; });
    if (arm) {
      armed.push_back({std::string(scenario), session.now()});
    }
    return session.compare_and_set(
        state::kArmedCell, cell.version,
        armed.empty() ? std::nullopt : std::optional(state::write_armed(armed)));
  });
}

// "?session=*"; the control API's document allows no other value.
bool is_for_all(const ControlRequest& request) {
  return request.query("session") != nullptr;
}

// The session of the request, or every one.
std::vector<std::shared_ptr<Session>> concerned(const ControlRequest& request) {
  return is_for_all(request) ? request.context.store.sessions()
                             : std::vector{std::shared_ptr<Session>(std::shared_ptr<Session>{},
                                                                    &request.context.session)};
}

void disarm(const ControlRequest& request, std::string_view scenario) {
  if (is_for_all(request)) {
    request.context.store.disarm_for_all(scenario);
  }
  for (const auto& session : concerned(request)) {
    change_armed(*session, scenario, false);
  }
}

state::Put move_on(Session& session, const Scenario& scenario, std::size_t index,
                   state::TimePoint armed_at) {
  const ScenarioRule& rule = scenario.rules[index];
  const std::string name = state::rule_cell(scenario.name, index);
  return insist([&] {
    const state::Cell cell = session.read(name);
    const RuleState state =
        api::at_time(rule, state::read_rule_state(cell.view(), armed_at), session.now());
    if (api::step_of(rule, state) == nullptr) {
      return state::Put::kDone;
    }
    return session.compare_and_set(
        name, cell.version, state::write_rule_state(api::at_next_step(rule, state, session.now())));
  });
}

}  // namespace

std::shared_ptr<const Scenario> find_scenario(const ControlRequest& request) {
  return api::find_scenario(request.context.api, request.context.session, request.argument);
}

Response unknown_scenario(const ControlRequest& request) {
  return unknown("scenario", request.argument,
                 api::scenario_names(request.context.api, request.context.session));
}

Response list_scenarios(const ControlRequest& request) {
  json list = json::array();
  for (const auto& name : api::scenario_names(request.context.api, request.context.session)) {
    if (const auto scenario =
            api::find_scenario(request.context.api, request.context.session, name)) {
      list.push_back(describe_scenario(request, *scenario));
    }
  }
  return json_response(200, {{"session", request.context.session.name()}, {"scenarios", list}});
}

Response show_scenario(const ControlRequest& request, const Scenario& scenario) {
  return json_response(200, describe_scenario(request, scenario));
}

Response arm_scenario(const ControlRequest& request, const Scenario& scenario) {
  if (is_for_all(request)) {
    if (!request.context.api.fixtures.scenarios().contains(scenario.name)) {
      return reject(api::ErrorKind::kInvalidParameters,
                    "query/session: the scenario \"" + scenario.name +
                        "\" belongs to this session alone; others do not have it");
    }
    request.context.store.arm_for_all(scenario.name);
  }
  for (const auto& session : concerned(request)) {
    if (change_armed(*session, scenario.name, true) != state::Put::kDone) {
      return no_room();
    }
  }
  return show_scenario(request, scenario);
}

std::optional<Response> keep_own_scenario(const ControlRequest& request, std::string_view scenario,
                                          const json& body, std::vector<std::string>& warnings) {
  const std::string text = spec::json::write(body);
  const auto read = api::read_own_scenario(request.context.api, std::string(scenario), text);
  if (!read->problems.empty()) {
    std::vector<std::string> lines;
    for (const auto& problem : read->problems) {
      lines.push_back("body" + problem.pointer + ": " + problem.message);
    }
    return reject(api::ErrorKind::kInvalidBody, std::move(lines));
  }
  for (const auto& warning : read->warnings) {
    warnings.push_back("body" + warning.pointer + ": " + warning.message);
  }
  Session& session = request.context.session;
  const auto put = set_cell(session, state::own_scenario_cell(scenario), text);
  return put == state::Put::kDone && change_armed(session, scenario, true) == state::Put::kDone
             ? std::nullopt
             : std::optional(no_room());
}

void drop_own_scenario(Session& session, std::string_view scenario) {
  change_armed(session, scenario, false);
  set_cell(session, state::own_scenario_cell(scenario), std::nullopt);
}

Response put_scenario(const ControlRequest& request) {
  if (!state::is_session_name(request.argument)) {
    return reject(api::ErrorKind::kInvalidParameters,
                  "path: a scenario's name must be 1 to 64 letters, digits, '.', '_' or '-'");
  }
  std::vector<std::string> warnings;
  auto response = keep_own_scenario(request, request.argument, *request.reading.body, warnings);
  if (!response) {
    const auto kept = find_scenario(request);
    response = kept != nullptr ? show_scenario(request, *kept) : unknown_scenario(request);
  }
  reply::add_warnings(*response, warnings);
  return std::move(*response);
}

Response reset_scenario(const ControlRequest& request, const Scenario& scenario) {
  disarm(request, scenario.name);
  return show_scenario(request, scenario);
}

Response advance_scenario(const ControlRequest& request, const Scenario& scenario) {
  const auto armed = armed_in(request.context.session, scenario.name);
  if (!armed) {
    return conflict("the session has no armed scenario \"" + scenario.name + '"');
  }
  const json* const one = request.query("rule");
  const auto only = one != nullptr ? one->get<std::size_t>() : std::size_t{0};
  if (one != nullptr && only >= scenario.rules.size()) {
    return reject(api::ErrorKind::kInvalidParameters, "query/rule: must be less than " +
                                                          std::to_string(scenario.rules.size()) +
                                                          ", but is " + std::to_string(only));
  }
  for (std::size_t index = 0; index < scenario.rules.size(); ++index) {
    const bool chosen = one == nullptr || index == only;
    if (chosen &&
        move_on(request.context.session, scenario, index, armed->at) != state::Put::kDone) {
      return no_room();
    }
  }
  return show_scenario(request, scenario);
}

Response disarm_scenario(const ControlRequest& request, const Scenario& scenario) {
  disarm(request, scenario.name);
  Response last = show_scenario(request, scenario);
  for (const auto& session : concerned(request)) {
    drop_own_scenario(*session, scenario.name);
  }
  return last;
}

Response disarm_all(const ControlRequest& request) {
  if (is_for_all(request)) {
    for (const std::string& scenario : request.context.store.armed_for_all()) {
      request.context.store.disarm_for_all(scenario);
    }
  }
  for (const auto& session : concerned(request)) {
    for (const ArmedScenario& armed : armed_in(*session)) {
      change_armed(*session, armed.name, false);
    }
  }
  return list_scenarios(request);
}

namespace {

using nlohmann::json;
using spec::http::Response;

constexpr std::string_view kScenario = "faults";

json rules_of(const ControlRequest& request) {
  const state::Cell cell = request.context.session.read(state::own_scenario_cell(kScenario));
  const auto scenario = cell ? spec::json::read(*cell.text) : spec::json::read("{}");
  return scenario ? scenario->value("rules", json::array()) : json::array();
}

}  // namespace

Response list_faults(const ControlRequest& request) {
  return reply::json_response(200, {{"session", request.context.session.name()},
                                    {"names", reply::kFaultNames},
                                    {"rules", rules_of(request)}});
}

Response put_faults(const ControlRequest& request) {
  json scenario{{"description", "The session's own faults."}};
  scenario["rules"] = request.reading.body->at("rules");
  std::vector<std::string> warnings;
  auto rejection = keep_own_scenario(request, kScenario, scenario, warnings);
  Response response = rejection ? std::move(*rejection) : list_faults(request);
  reply::add_warnings(response, warnings);
  return response;
}

Response drop_faults(const ControlRequest& request) {
  drop_own_scenario(request.context.session, kScenario);
  return list_faults(request);
}

}  // namespace mock_server::control
