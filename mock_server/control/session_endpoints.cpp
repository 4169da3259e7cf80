#include "mock_server/api/condition.hpp"
#include "mock_server/control/control_request.hpp"
#include "mock_server/control/endpoints.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/session_clock.hpp"
#include "spec/json/number.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace mock_server::control {

namespace {

using nlohmann::json;
using reply::json_response;
using spec::http::Response;

json summarise(const ControlRequest& request, const state::SessionSummary& summary) {
  const auto window = request.context.journal.window(summary.serial);
  json session{{"name", summary.name},
               {"changes", summary.cells},
               {"requests", {{"noted", window.noted}, {"kept", window.kept}}}};
  if (!summary.name.empty()) {
    session["last_used"] = state::to_text(summary.last_used);
  }
  return session;
}

Response unknown_snapshot(const ControlRequest& request) {
  return unknown("snapshot", request.argument, request.context.session.snapshots());
}

json snapshot_words(const ControlRequest& request, const char* done) {
  return {
      {"session", request.context.session.name()}, {"snapshot", request.argument}, {done, true}};
}

}  // namespace

Response list_sessions(const ControlRequest& request) {
  json list = json::array();
  for (const auto& summary : request.context.store.list()) {
    list.push_back(summarise(request, summary));
  }
  return json_response(200, {{"sessions", list},
                             {"limits",
                              {{"sessions", request.context.store.limits().sessions},
                               {"bytes", request.context.store.limits().bytes},
                               {"idle_seconds", request.context.store.limits().idle.count()}}}});
}

Response show_session(const ControlRequest& request) {
  for (const auto& summary : request.context.store.list()) {
    if (summary.name != request.argument || summary.name.empty()) {
      continue;
    }
    json session = summarise(request, summary);
    if (const auto found = request.context.store.find(summary.name)) {
      session["now"] = state::to_text(found->now());
      session["snapshots"] = found->snapshots();
    }
    return json_response(200, session);
  }
  return unknown_session(request, request.argument);
}

Response fork_session(const ControlRequest& request) {
  const json& body = *request.reading.body;
  const json& name = body["name"];
  const json from = body.value("from", json(request.context.session.name()));
  const auto source = request.context.store.find(from.get_ref<const std::string&>());
  if (source == nullptr) {
    return unknown_session(request, from.get_ref<const std::string&>());
  }
  switch (request.context.store.fork(*source, name.get_ref<const std::string&>())) {
    case state::Fork::kTaken:
      return conflict("body/name: there is a session \"" + name.get<std::string>() + "\" already");
    case state::Fork::kFull: return no_room();
    case state::Fork::kDone: break;
  }
  return json_response(201, {{"session", name}, {"from", from}});
}

Response delete_session(const ControlRequest& request) {
  const auto session = request.context.store.find(request.argument);
  if (!state::is_session_name(request.argument) || session == nullptr) {
    return unknown_session(request, request.argument);
  }
  request.context.coverage.catch_up(request.context.api, request.context.journal);
  request.context.journal.clear(session->serial());
  request.context.store.remove(request.argument);
  return json_response(200, {{"session", request.argument}, {"deleted", true}});
}

Response list_snapshots(const ControlRequest& request) {
  return json_response(200, {{"session", request.context.session.name()},
                             {"snapshots", request.context.session.snapshots()}});
}

Response take_snapshot(const ControlRequest& request) {
  if (!state::is_session_name(request.argument)) {
    return reject(api::ErrorKind::kInvalidParameters,
                  "path: a snapshot's name must be 1 to 64 letters, digits, '.', '_' or '-'");
  }
  return request.context.session.take_snapshot(request.argument) == state::Put::kDone
             ? json_response(200, snapshot_words(request, "taken"))
             : no_room();
}

Response restore_snapshot(const ControlRequest& request) {
  const auto restored = request.context.session.restore_snapshot(request.argument);
  if (!restored) {
    return unknown_snapshot(request);
  }
  return *restored == state::Put::kDone ? json_response(200, snapshot_words(request, "restored"))
                                        : no_room();
}

Response drop_snapshot(const ControlRequest& request) {
  return request.context.session.drop_snapshot(request.argument)
             ? json_response(200, snapshot_words(request, "deleted"))
             : unknown_snapshot(request);
}

namespace {

using nlohmann::json;
using reply::json_response;
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
                             {"now", state::to_text(setting.now(machine))},
                             {"frozen", setting.frozen_at.has_value()},
                             {"moved", setting != ClockSetting{}}});
}

Response set_clock(const ControlRequest& request) {
  const json& body = *request.reading.body;
  const auto now = body.find("now");
  const auto frozen = body.find("frozen");
  const auto instant = now == body.end() ? std::nullopt : api::instant_of(&*now);
  if (now != body.end() && !instant) {
    return reject_body("body/now: must be a date-time, for example \"2026-01-31T12:00:00Z\"");
  }
  return change_clock(request, [&](const ClockSetting& setting, TimePoint machine) {
    const bool stands = frozen == body.end() ? setting.frozen_at.has_value() : frozen->get<bool>();
    return ClockSetting::set(instant ? state::to_time(*instant) : setting.now(machine), stands,
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

namespace {

using nlohmann::json;
using spec::http::Response;
using upstream::SessionSettings;

std::optional<SessionSettings> own_settings(const ControlRequest& request) {
  const state::Cell cell = request.context.session.read(state::kUpstreamCell);
  return cell ? upstream::parse_session_settings(*cell.text) : std::nullopt;
}

const upstream::Settings* program_settings(const ControlRequest& request) {
  const upstream::Upstream* const service = request.context.settings.upstream;
  return service != nullptr && service->settings ? &*service->settings : nullptr;
}

Response keep_upstream(const ControlRequest& request, const std::optional<std::string>& text) {
  const auto put = set_cell(request.context.session, state::kUpstreamCell, text);
  return put == state::Put::kDone ? show_upstream(request) : no_room();
}

}  // namespace

Response show_upstream(const ControlRequest& request) {
  const upstream::Settings* const program = program_settings(request);
  const auto own = own_settings(request);
  std::optional<upstream::Mode> mode;
  upstream::Fill fill;
  if (program != nullptr) {
    mode = own ? own->mode : program->mode;
    fill = own ? own->fill : program->fill;
  }
  return reply::json_response(
      200, {{"session", request.context.session.name()},
            {"url", program != nullptr ? json(program->url.text()) : json(nullptr)},
            {"mode", mode ? upstream::name_of(*mode) : upstream::kMockAlone},
            {"fill_on", upstream::to_text(fill)},
            {"is_own", own.has_value()}});
}

Response set_upstream(const ControlRequest& request) {
  const json& body = *request.reading.body;
  if (program_settings(request) == nullptr) {
    return conflict("there is no service behind this mock; start it with --upstream URL");
  }
  const auto mode = upstream::mode_of(body["mode"].get_ref<const std::string&>());
  if (mode == upstream::Mode::kRecord && !request.context.settings.upstream->recorder) {
    return conflict("body/mode: this mock does not record; start it with --mode record");
  }
  auto fill = upstream::parse_fill(body.value("fill_on", ""));
  if (!fill) {
    return reject_body("body/fill_on: " + fill.error());
  }
  if ((mode == upstream::Mode::kFill) == (fill.value() == upstream::Fill{})) {
    return reject_body(
        "body/fill_on: lists when the mock responds in mode fill, for example \"501,timeout\"; "
        "give "
        "both or neither");
  }
  return keep_upstream(request, upstream::to_text(SessionSettings{mode, std::move(fill.value())}));
}

Response reset_upstream(const ControlRequest& request) {
  return keep_upstream(request, std::nullopt);
}

}  // namespace mock_server::control
