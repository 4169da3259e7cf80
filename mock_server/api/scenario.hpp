#pragma once

// Scenarios after load: rules that change the responses while a session has the scenario armed.
// Plain data, const after load. fixtures/README.md says what each means.

#include "mock_server/api/binding.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/state/scenario_state.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::api {

// The delay of a response. Log-normal: half of the delays are below `first`.
struct Delay {
  enum class Kind : std::uint8_t { kNone, kFixed, kUniform, kLogNormal };
  static constexpr double kMaxMs = 60'000;

  Kind kind = Kind::kNone;
  double first = 0;   // ms: the delay; the min; the median
  double second = 0;  // ms: the max; of log-normal: sigma, of the delay's natural logarithm

  // `even` and `normal` are a draw from [0, 1) and one from the standard normal distribution.
  std::chrono::milliseconds draw(double even, double normal) const;
};

// A response with a status that the operation need not declare, made for each call in the shape of
// the operation's errors, or with a text of its own.
struct ForcedStatus {
  int status = 503;
  std::string message;  // "" for one that names the scenario
  std::optional<std::string> text;
  spec::http::Headers headers;
};

// The effects of a step on a call.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's move constructor asserts, it never throws.
struct Effect {
  std::shared_ptr<const PreparedResponse> response;  // instead of the behaviour's
  std::shared_ptr<const ForcedStatus> forced;        // likewise; at most one of the two
  std::optional<nlohmann::json> record;              // merged into the record, as this call sees it
  Delay delay;
  reply::Fault fault = reply::Fault::kNone;
  std::optional<StreamPlan> stream;
};

// Taken by `times` calls, for `lasts` of the session's time, whichever is over first; neither: by
// every call from then on.
// NOLINTNEXTLINE(bugprone-exception-escape): as above.
struct Step {
  std::int64_t times = 0;
  std::chrono::microseconds lasts{0};
  Effect effect;
  spec::document::Node node;
};

struct ScenarioRule {
  std::string name;
  std::vector<const spec::contract::Operation*> operations;  // empty: every one
  std::vector<Condition> when;
  std::int64_t every = 1;  // of the calls that match, every so many takes a step
  double probability = 1;  // and of those, by chance
  std::vector<Step> steps;
  bool again = false;  // after the last step comes the first; else nothing more happens
  spec::document::Node node;

  // The time of all steps together when each ends in time alone; 0 otherwise.
  std::chrono::microseconds round() const;
};

struct Scenario {
  std::string name;
  std::string description;
  std::vector<ScenarioRule> rules;
  spec::document::Node node;
};

// Advances a rule from step to step: pure functions of it, its state and the session's time.

// `state` after all steps whose time is over at `now`.
state::RuleState at_time(const ScenarioRule& rule, state::RuleState state, state::TimePoint now);

// `state` after one more step, which ended at `now`.
state::RuleState at_next_step(const ScenarioRule& rule, state::RuleState state,
                              state::TimePoint now);

// `state` after one more call took its step at `now`. Precondition: there is a step.
state::RuleState after_call(const ScenarioRule& rule, state::RuleState state, state::TimePoint now);

// The step that the next call takes; null when none is left.
const Step* step_of(const ScenarioRule& rule, const state::RuleState& state);

}  // namespace mock_server::api
