#include "mock_server/control/clock.hpp"

#include "mock_server/control/common.hpp"
#include "mock_server/fixtures/condition.hpp"
#include "mock_server/fixtures/instant.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/state/cell_names.hpp"
#include "spec/json/number.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <optional>

namespace mock_server::control {
namespace {

using nlohmann::json;
using reply::json_response;
using spec::http::Response;
using state::ClockSetting;
using state::Session;
using state::TimePoint;

// Years that a date-time can spell, with room for adding to them.
const TimePoint kEarliest{std::chrono::sys_days{std::chrono::year{1} / 1 / 1}};
const TimePoint kLatest{std::chrono::sys_days{std::chrono::year{9990} / 1 / 1}};

Response shown(const ControlRequest& ask) {
  const Session& session = ask.context.session;
  const ClockSetting setting = session.clock();
  const TimePoint machine = session.machine_now();
  return json_response(200, {{"session", session.name()},
                             {"now", fixtures::to_text(setting.now(machine))},
                             {"frozen", setting.frozen_at.has_value()},
                             {"moved", setting != ClockSetting{}}});
}

bool is_possible(TimePoint now) {
  return now >= kEarliest && now < kLatest;
}

// Keeps what `change` makes of the session's setting; 422 when that leaves the years there are.
template <typename Change>
Response change_clock(const ControlRequest& ask, Change change) {
  Session& session = ask.context.session;
  bool possible = true;
  const state::Put put = insist([&] {
    const state::Cell cell = session.read(Session::kClockCell);
    const TimePoint machine = session.machine_now();
    const ClockSetting next =
        change(cell ? ClockSetting::read(*cell.text) : ClockSetting{}, machine);
    possible = is_possible(next.now(machine));
    return possible ? session.set_clock(cell.version, next) : state::Put::kDone;
  });
  if (!possible) {
    return reject_body("body: the time must lie between the years 1 and 9989");
  }
  return put == state::Put::kDone ? shown(ask) : no_room();
}

std::optional<TimePoint> time_of(const json& value) {
  const auto instant = fixtures::instant_of(&value);
  if (!instant) {
    return std::nullopt;
  }
  std::string fraction = instant->fraction.substr(0, 6);
  fraction.append(6 - fraction.size(), '0');
  return TimePoint(std::chrono::seconds(instant->seconds) +
                   std::chrono::microseconds(std::stol(fraction)));
}

}  // namespace

Response show_clock(const ControlRequest& ask) {
  return shown(ask);
}

Response set_clock(const ControlRequest& ask) {
  const json& body = *ask.reading.body;
  const auto now = body.find("now");
  const auto frozen = body.find("frozen");
  const auto time = now == body.end() ? std::nullopt : time_of(*now);
  if (now != body.end() && !time) {
    return reject_body("body/now: must be a date-time, say \"2026-01-31T12:00:00Z\"");
  }
  return change_clock(ask, [&](const ClockSetting& setting, TimePoint machine) {
    const bool stands = frozen == body.end() ? setting.frozen_at.has_value() : frozen->get<bool>();
    return ClockSetting::set(time.value_or(setting.now(machine)), stands, machine);
  });
}

Response advance_clock(const ControlRequest& ask) {
  const std::chrono::microseconds by(
      std::llround(spec::json::to_double((*ask.reading.body)["seconds"]) * 1e6));
  return change_clock(ask, [&](const ClockSetting& setting, TimePoint /*machine*/) {
    return setting.advanced(by);
  });
}

Response reset_clock(const ControlRequest& ask) {
  return change_clock(
      ask, [](const ClockSetting& /*setting*/, TimePoint /*machine*/) { return ClockSetting{}; });
}

namespace {

Response shown_seed(const ControlRequest& ask) {
  const state::Cell cell = ask.context.session.read(state::kSeedCell);
  const std::uint64_t seed = cell ? std::stoull(*cell.text) : ask.context.settings.seed;
  return json_response(
      200,
      {{"session", ask.context.session.name()}, {"seed", seed}, {"is_own", static_cast<bool>(cell)}});
}

Response keep_seed(const ControlRequest& ask, const std::optional<std::string>& text) {
  Session& session = ask.context.session;
  const auto put = insist([&] {
    return session.compare_and_set(state::kSeedCell, session.read(state::kSeedCell).version, text);
  });
  return put == state::Put::kDone ? shown_seed(ask) : no_room();
}

}  // namespace

Response show_seed(const ControlRequest& ask) {
  return shown_seed(ask);
}

Response set_seed(const ControlRequest& ask) {
  const json& given = (*ask.reading.body)["seed"];
  const auto whole = spec::json::to_int64(given);
  const auto seed = given.is_number_unsigned() ? std::optional(given.get<std::uint64_t>())
                    : whole                    ? std::optional(static_cast<std::uint64_t>(*whole))
                                               : std::nullopt;
  return seed ? keep_seed(ask, std::to_string(*seed))
              : reject_body("body/seed: must be a whole number that 64 bits hold");
}

Response reset_seed(const ControlRequest& ask) {
  return keep_seed(ask, std::nullopt);
}

}  // namespace mock_server::control
