#include "mock_server/api/scenario.hpp"

#include <algorithm>
#include <cmath>

namespace mock_server::api {

using state::RuleState;
using state::TimePoint;

std::chrono::milliseconds Delay::draw(double even, double normal) const {
  double ms = 0;
  switch (kind) {
    case Kind::kNone: break;
    case Kind::kFixed: ms = first; break;
    case Kind::kUniform: ms = first + even * (second - first); break;
    case Kind::kLogNormal: ms = first * std::exp(second * normal); break;
  }
  return std::chrono::milliseconds(std::llround(std::clamp(ms, 0.0, kMaxMs)));
}

std::chrono::microseconds ScenarioRule::round() const {
  std::chrono::microseconds sum{0};
  for (const Step& step : steps) {
    if (step.times != 0 || step.lasts.count() == 0) {
      return std::chrono::microseconds{0};
    }
    sum += step.lasts;
  }
  return sum;
}

const Step* step_of(const ScenarioRule& rule, const RuleState& state) {
  return state.step < rule.steps.size() ? &rule.steps[state.step] : nullptr;
}

RuleState at_next_step(const ScenarioRule& rule, RuleState state, TimePoint now) {
  ++state.step;
  if (rule.again && state.step >= rule.steps.size()) {
    state.step = 0;
  }
  state.taken = 0;
  state.since = now;
  return state;
}

RuleState at_time(const ScenarioRule& rule, RuleState state, TimePoint now) {
  // Whole rounds at once: years may have passed.
  if (const auto round = rule.round(); rule.again && round.count() > 0 && now > state.since) {
    state.since += round * ((now - state.since) / round);
  }
  for (const Step* step = step_of(rule, state); step != nullptr; step = step_of(rule, state)) {
    if (step->lasts.count() == 0 || now < state.since + step->lasts) {
      break;
    }
    state = at_next_step(rule, state, state.since + step->lasts);
  }
  return state;
}

RuleState after_call(const ScenarioRule& rule, RuleState state, TimePoint now) {
  ++state.taken;
  const std::int64_t times = rule.steps[state.step].times;
  return times != 0 && state.taken >= times ? at_next_step(rule, state, now) : state;
}

}  // namespace mock_server::api
