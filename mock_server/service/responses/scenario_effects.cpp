#include "mock_server/service/responses/scenario_effects.hpp"

#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/scenario.hpp"
#include "mock_server/service/request/generation_options.hpp"
#include "mock_server/service/responses/behaviours.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace mock_server::service::responses {
namespace {

using api::Scenario;
using api::ScenarioRule;
using api::Step;
using state::RuleState;

bool concerns(const ScenarioRule& rule, const RequestContext& context,
              const nlohmann::json* record) {
  const bool named = rule.operations.empty() ||
                     std::ranges::find(rule.operations, context.operation) != rule.operations.end();
  return named && api::holds(rule.when, {context.reading, record}, context.session->now());
}

// Random numbers: a pure function of seed, rule and call number, so that a run can be repeated.
class Chance {
 public:
  Chance(std::uint64_t seed, std::string_view rule, std::int64_t call) : state_(mix(seed)) {
    for (const char c : rule) {
      state_ = mix(state_ ^ static_cast<unsigned char>(c));
    }
    state_ = mix(state_ ^ static_cast<std::uint64_t>(call));
  }

  // From [0, 1); another for each `draw`.
  double even(std::uint64_t draw) const {
    constexpr double kSteps = 9007199254740992.0;  // 2^53
    return static_cast<double>(mix(state_ + draw) >> 11U) / kSteps;
  }

  // From the standard normal distribution, by Box and Muller's transform; uses the draws `draw` and
  // `draw` + 1.
  double normal(std::uint64_t draw) const {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - even(draw)));
    return radius * std::cos(2.0 * std::numbers::pi * even(draw + 1));
  }

 private:
  static std::uint64_t mix(std::uint64_t value) {
    return spec::text::derive(value, std::uint64_t{0});
  }

  std::uint64_t state_;
};

// A step that a call took, and when it ends.
struct TakenStep {
  const Step* step = nullptr;  // null: no effect
  std::int64_t number = 0;     // of the call, counting calls that match the rule
  std::optional<state::TimePoint> ends;
};

// A rule of an armed scenario in one session.
struct Turn {
  const Scenario& scenario;
  const ScenarioRule& rule;
  std::string cell;
  state::TimePoint armed_at;
  std::string because;  // its conditions
};

TakenStep look(const Turn& turn, RuleState& state, std::uint64_t seed, state::TimePoint now) {
  ++state.calls;
  state = at_time(turn.rule, state, now);
  const Step* const step = step_of(turn.rule, state);
  const bool chosen = state.calls % turn.rule.every == 0 &&
                      (turn.rule.probability >= 1 ||
                       Chance(seed, turn.cell, state.calls).even(0) < turn.rule.probability);
  if (step == nullptr || !chosen) {
    return {nullptr, state.calls, {}};
  }
  TakenStep taken{step, state.calls, {}};
  if (step->lasts.count() != 0) {
    taken.ends = state.since + step->lasts;
  }
  state = after_call(turn.rule, state, now);
  return taken;
}

// Calls at the same time take different steps: the cell is changed by compare-and-set.
TakenStep take(const RequestContext& context, const Turn& turn, std::uint64_t seed) {
  while (true) {
    const state::Cell cell = context.session->read(turn.cell);
    RuleState state = state::read_rule_state(cell.view(), turn.armed_at);
    const TakenStep taken = look(turn, state, seed, context.session->now());
    const auto put =
        context.session->compare_and_set(turn.cell, cell.version, state::write_rule_state(state));
    if (put != state::Put::kStale) {
      return taken;
    }
  }
}

void deliver(RequestContext& context, const Step& step, const Chance& chance) {
  reply::Delivery& delivery = context.preferences.delivery;
  if (delivery.delay.count() == 0) {
    delivery.delay = step.effect.delay.draw(chance.even(1), chance.normal(2));
  }
  if (delivery.fault == reply::Fault::kNone) {
    delivery.fault = step.effect.fault;
  }
  context.stream = context.stream ? context.stream : step.effect.stream;
}

// Retry-After is the rest of the step.
void add_wait(const RequestContext& context, const TakenStep& taken,
              spec::http::Response& response) {
  constexpr int kTooMany = 429;
  constexpr int kUnavailable = 503;
  if ((response.status != kTooMany && response.status != kUnavailable) ||
      response.headers.has("Retry-After")) {
    return;
  }
  const auto left =
      taken.ends ? std::chrono::ceil<std::chrono::seconds>(*taken.ends - context.session->now())
                 : std::chrono::seconds{1};
  response.headers.set("Retry-After",
                       std::to_string(std::max(left, std::chrono::seconds{1}).count()));
}

// The combined effects of the steps of one call.
struct ScenarioEffects {
  const api::PreparedResponse* response = nullptr;
  const api::ForcedStatus* forced = nullptr;
  TakenStep taken;
  std::string scenario;  // that has the response

  bool has_response() const { return response != nullptr || forced != nullptr; }
};

void apply_step(RequestContext& context, const Turn& turn, const TakenStep& taken,
                std::uint64_t seed, ScenarioEffects& effects) {
  const Step& step = *taken.step;
  deliver(context, step, Chance(seed, turn.cell, taken.number));
  context.scenario_steps += (context.scenario_steps.empty() ? "scenario " : "; scenario ") +
                            turn.scenario.name + ", " + step.node.file_and_line() + turn.because;
  if (step.effect.record) {
    context.scenario_changes.push_back(&*step.effect.record);
  }
  if ((step.effect.response || step.effect.forced) && !effects.has_response()) {
    effects = {step.effect.response.get(), step.effect.forced.get(), taken, turn.scenario.name};
  }
}

// The operation's own response of that status, or the text, which is sent as it is.
ChosenResponse force(RequestContext& context, const api::ForcedStatus& forced,
                     const std::string& scenario) {
  const std::string by = "scenario " + scenario;
  const std::string reason = forced.message.empty() ? by + " sends this response" : forced.message;
  ChosenResponse chosen;
  if (forced.text) {
    context.warnings.push_back(by + ": a text of its own, which was not validated");
    chosen.response.status = forced.status;
    chosen.response.headers.set("Content-Type", "text/plain; charset=utf-8");
    chosen.response.body = *forced.text;
    chosen.validated = true;
  } else {
    chosen = status_response(context, {forced.status, by, reason});
  }
  for (const auto& [name, value] : forced.headers.lines()) {
    chosen.response.headers.set(name, value);
  }
  return chosen;
}

// Nothing found without a binding.
FoundRecord found_record(const RequestContext& context) {
  return context.binding != nullptr ? find_record(context) : FoundRecord{};
}

void play(RequestContext& context, const Scenario& scenario, state::TimePoint armed_at,
          ScenarioEffects& effects) {
  const FoundRecord found = found_record(context);
  const std::uint64_t seed = seed_of(context);
  for (std::size_t index = 0; index < scenario.rules.size(); ++index) {
    const ScenarioRule& rule = scenario.rules[index];
    if (!concerns(rule, context, found.value)) {
      continue;
    }
    const Turn turn{
        scenario, rule, state::rule_cell(scenario.name, index), armed_at,
        api::because(rule.when, {context.reading, found.value}, context.session->now())};
    const TakenStep taken = take(context, turn, seed);
    if (taken.step != nullptr) {
      apply_step(context, turn, taken, seed, effects);
    }
  }
}

}  // namespace

std::optional<ChosenResponse> play_scenarios(RequestContext& context) {
  const state::Cell cell = context.session->read(state::kArmedCell);
  if (!cell) {
    return std::nullopt;
  }
  ScenarioEffects effects;
  for (const state::ArmedScenario& armed : state::read_armed(*cell.text)) {
    // A scenario that was removed by a reload is skipped.
    if (auto scenario = api::find_scenario(context.api, *context.session, armed.name)) {
      play(context, *scenario, armed.at, effects);
      context.scenarios.push_back(std::move(scenario));
    }
  }
  if (!effects.has_response()) {
    return std::nullopt;
  }
  ChosenResponse chosen =
      effects.response != nullptr
          ? made_response(context, *effects.response, found_record(context).value)
          : force(context, *effects.forced, effects.scenario);
  context.chosen_by.clear();
  add_wait(context, effects.taken, chosen.response);
  return chosen;
}

}  // namespace mock_server::service::responses
