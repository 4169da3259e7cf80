#include "mock_server/control/endpoints/endpoints.hpp"
#include "mock_server/control/request/control_request.hpp"
#include "mock_server/fixtures/instant.hpp"
#include "mock_server/reply/error_response.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace mock_server::control::endpoints {
namespace {

using nlohmann::json;
using reply::json_response;
using request::conflict;
using request::no_room;
using request::reject;
using request::unknown;
using spec::http::Response;

json summarise(const ControlRequest& request, const state::SessionSummary& summary) {
  const auto window = request.context.journal.window(summary.serial);
  json session{{"name", summary.name},
               {"changes", summary.cells},
               {"requests", {{"noted", window.noted}, {"kept", window.kept}}}};
  if (!summary.name.empty()) {
    session["last_used"] = fixtures::to_text(summary.last_used);
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
      session["now"] = fixtures::to_text(found->now());
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
    return reject(fixtures::ErrorKind::kInvalidParameters,
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

}  // namespace mock_server::control::endpoints
