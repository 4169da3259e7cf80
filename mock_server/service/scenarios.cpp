#include "mock_server/service/scenarios.hpp"

#include "mock_server/fixtures/progress.hpp"
#include "mock_server/service/chance.hpp"
#include "mock_server/service/records.hpp"
#include "mock_server/service/seed.hpp"
#include "mock_server/state/scenario_state.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace mock_server::service {
namespace {

using fixtures::Scenario;
using fixtures::ScenarioRule;
using fixtures::Step;
using state::RuleState;

bool concerns(const ScenarioRule& rule, const Call& call, const nlohmann::json* record) {
  const bool named = rule.operations.empty() ||
                     std::ranges::find(rule.operations, call.operation) != rule.operations.end();
  return named && fixtures::holds(rule.when, {call.reading, record}, call.session->now());
}

// A step that a call took: what it does, and until when others will.
struct Taken {
  const Step* step = nullptr;  // null: as ever
  std::int64_t number = 0;     // of the call, among those that match the rule
  std::optional<state::TimePoint> ends;
};

// One rule in one session, on the way through one call.
struct Turn {
  const Scenario& scenario;
  const ScenarioRule& rule;
  std::string cell;
  state::TimePoint armed_at;
};

Taken look(const Turn& turn, RuleState& state, std::uint64_t seed, state::TimePoint now) {
  ++state.calls;
  state = at_time(turn.rule, state, now);
  const Step* const step = step_of(turn.rule, state);
  const bool chosen = state.calls % turn.rule.every == 0 &&
                      (turn.rule.probability >= 1 ||
                       Chance(seed, turn.cell, state.calls).even(0) < turn.rule.probability);
  if (step == nullptr || !chosen) {
    return {nullptr, state.calls, {}};
  }
  Taken taken{step, state.calls, {}};
  if (step->lasts.count() != 0) {
    taken.ends = state.since + step->lasts;
  }
  state = after_call(turn.rule, state, now);
  return taken;
}

// Of simultaneous calls each takes a step of its own: the cell is changed by compare-and-set.
Taken take(const Call& call, const Turn& turn, std::uint64_t seed) {
  while (true) {
    const state::Cell cell = call.session->read(turn.cell);
    RuleState state = state::read_rule_state(cell ? *cell.text : std::string{}, turn.armed_at);
    const Taken taken = look(turn, state, seed, call.session->now());
    const auto put =
        call.session->compare_and_set(turn.cell, cell.version, state::write_rule_state(state));
    if (put != state::Put::kStale) {
      return taken;
    }
  }
}

void deliver(Call& call, const Step& step, const Chance& chance) {
  reply::Delivery& delivery = call.preferences.delivery;
  if (delivery.delay.count() == 0) {
    delivery.delay = step.effect.delay.draw(chance.even(1), chance.normal(2));
  }
  if (delivery.fault == reply::Fault::kNone) {
    delivery.fault = step.effect.fault;
  }
}

// How long the step goes on is when it makes sense to try again.
void add_wait(const Call& call, const Taken& taken, spec::http::Response& response) {
  constexpr int kTooMany = 429;
  constexpr int kUnavailable = 503;
  if ((response.status != kTooMany && response.status != kUnavailable) ||
      response.headers.has("Retry-After")) {
    return;
  }
  const auto left = taken.ends
                        ? std::chrono::ceil<std::chrono::seconds>(*taken.ends - call.session->now())
                        : std::chrono::seconds{1};
  response.headers.set("Retry-After",
                       std::to_string(std::max(left, std::chrono::seconds{1}).count()));
}

// What the steps of one call come to.
struct ScenarioEffects {
  const fixtures::Prepared* answer = nullptr;
  Taken taken;
};

void stage(Call& call, const Turn& turn, const Taken& taken, std::uint64_t seed, ScenarioEffects& effects) {
  const Step& step = *taken.step;
  deliver(call, step, Chance(seed, turn.cell, taken.number));
  const auto place = step.node.place();
  call.scenario_steps += (call.scenario_steps.empty() ? "scenario " : "; scenario ") + turn.scenario.name +
                    ", " + std::string(place.file) + ':' + std::to_string(place.line);
  if (step.effect.record) {
    call.scenario_changes.push_back(&*step.effect.record);
  }
  if (step.effect.answer && effects.answer == nullptr) {
    effects = {step.effect.answer.get(), taken};
  }
}

void play(Call& call, const Scenario& scenario, state::TimePoint armed_at, ScenarioEffects& effects) {
  const FoundRecord found = call.binding != nullptr ? find_record(call) : FoundRecord{};
  const std::uint64_t seed = seed_of(call);
  for (std::size_t index = 0; index < scenario.rules.size(); ++index) {
    const Turn turn{scenario, scenario.rules[index], state::rule_cell(scenario.name, index),
                    armed_at};
    if (!concerns(turn.rule, call, found.value)) {
      continue;
    }
    const Taken taken = take(call, turn, seed);
    if (taken.step != nullptr) {
      stage(call, turn, taken, seed, effects);
    }
  }
}

}  // namespace

std::optional<Outcome> play_scenarios(Call& call) {
  const state::Cell cell = call.session->read(state::kArmedCell);
  if (!cell) {
    return std::nullopt;
  }
  ScenarioEffects effects;
  for (const state::Armed& armed : state::read_armed(*cell.text)) {
    // One that went with a reload is passed over.
    if (auto scenario = fixtures::find_scenario(call.api, *call.session, armed.name)) {
      play(call, *scenario, armed.at, effects);
      call.scenarios.push_back(std::move(scenario));
    }
  }
  if (effects.answer == nullptr) {
    return std::nullopt;
  }
  call.chosen_by.clear();
  Outcome outcome{effects.answer->response, true};
  add_wait(call, effects.taken, outcome.response);
  return outcome;
}

}  // namespace mock_server::service
