#include "mock_server/control/endpoints/endpoints.hpp"
#include "mock_server/control/request/control_request.hpp"
#include "mock_server/fixtures/condition.hpp"
#include "mock_server/fixtures/instant.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/state/cell_names.hpp"
#include "spec/json/number.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <optional>

namespace mock_server::control::endpoints {
namespace {

using nlohmann::json;
using reply::json_response;
using request::insist;
using request::no_room;
using request::reject_body;
using request::set_cell;
using spec::http::Response;
using state::ClockSetting;
using state::Session;
using state::TimePoint;

// Years that a date-time can express, with room for additions.
const TimePoint kEarliest{std::chrono::sys_days{std::chrono::year{1} / 1 / 1}};
const TimePoint kLatest{std::chrono::sys_days{std::chrono::year{9990} / 1 / 1}};

bool is_possible(TimePoint now) {
  return now >= kEarliest && now < kLatest;
}

// Stores the changed setting of the session; 422 if the time would be outside of the possible
// years.
template <typename Change>
Response change_clock(const ControlRequest& request, Change change) {
  Session& session = request.context.session;
  bool possible = true;
  const state::Put put = insist([&] {
    const state::Cell cell = session.read(Session::kClockCell);
    const TimePoint machine = session.machine_now();
    const ClockSetting next = change(ClockSetting::read(cell.view()), machine);
    possible = is_possible(next.now(machine));
    return possible ? session.set_clock(cell.version, next) : state::Put::kDone;
  });
  if (!possible) {
    return reject_body("body: the time must be in the years 1 to 9989");
  }
  return put == state::Put::kDone ? show_clock(request) : no_room();
}

Response keep_seed(const ControlRequest& request, const std::optional<std::string>& text) {
  const auto put = set_cell(request.context.session, state::kSeedCell, text);
  return put == state::Put::kDone ? show_seed(request) : no_room();
}

}  // namespace

Response show_clock(const ControlRequest& request) {
  const Session& session = request.context.session;
  const ClockSetting setting = session.clock();
  const TimePoint machine = session.machine_now();
  return json_response(200, {{"session", session.name()},
                             {"now", fixtures::to_text(setting.now(machine))},
                             {"frozen", setting.frozen_at.has_value()},
                             {"moved", setting != ClockSetting{}}});
}

Response set_clock(const ControlRequest& request) {
  const json& body = *request.reading.body;
  const auto now = body.find("now");
  const auto frozen = body.find("frozen");
  const auto instant = now == body.end() ? std::nullopt : fixtures::instant_of(&*now);
  if (now != body.end() && !instant) {
    return reject_body("body/now: must be a date-time, for example \"2026-01-31T12:00:00Z\"");
  }
  return change_clock(request, [&](const ClockSetting& setting, TimePoint machine) {
    const bool stands = frozen == body.end() ? setting.frozen_at.has_value() : frozen->get<bool>();
    return ClockSetting::set(instant ? fixtures::to_time(*instant) : setting.now(machine), stands,
                             machine);
  });
}

Response advance_clock(const ControlRequest& request) {
  const std::chrono::microseconds by(
      std::llround(spec::json::to_double((*request.reading.body)["seconds"]) * 1e6));
  return change_clock(request, [&](const ClockSetting& setting, TimePoint /*machine*/) {
    return setting.advanced(by);
  });
}

Response reset_clock(const ControlRequest& request) {
  return change_clock(request, [](const ClockSetting& /*setting*/, TimePoint /*machine*/) {
    return ClockSetting{};
  });
}

Response show_seed(const ControlRequest& request) {
  const state::Cell cell = request.context.session.read(state::kSeedCell);
  const std::uint64_t seed = cell ? state::number_in(cell) : request.context.settings.seed;
  return json_response(200, {{"session", request.context.session.name()},
                             {"seed", seed},
                             {"is_own", static_cast<bool>(cell)}});
}

Response set_seed(const ControlRequest& request) {
  const json& given = (*request.reading.body)["seed"];
  const auto seed = spec::text::parse_number<std::uint64_t>(spec::json::number_key(given));
  return seed ? keep_seed(request, std::to_string(*seed))
              : reject_body("body/seed: must be an integer from 0 to 18446744073709551615");
}

Response reset_seed(const ControlRequest& request) {
  return keep_seed(request, std::nullopt);
}

}  // namespace mock_server::control::endpoints
