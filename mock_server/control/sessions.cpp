#include "mock_server/control/sessions.hpp"

#include "mock_server/control/common.hpp"
#include "mock_server/fixtures/instant.hpp"
#include "mock_server/reply/error_response.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace mock_server::control {
namespace {

using nlohmann::json;
using reply::json_response;
using spec::http::Response;

json summarise(const ControlRequest& ask, const state::SessionSummary& summary) {
  const auto window = ask.context.journal.window(summary.serial);
  json session{{"name", summary.name},
               {"changes", summary.cells},
               {"requests", {{"noted", window.noted}, {"kept", window.kept}}}};
  if (!summary.name.empty()) {
    session["last_used"] = fixtures::to_text(summary.last_used);
  }
  return session;
}

std::vector<std::string> session_names(const ControlRequest& ask) {
  std::vector<std::string> names;
  for (const auto& summary : ask.context.store.list()) {
    if (!summary.name.empty()) {
      names.push_back(summary.name);
    }
  }
  return names;
}

Response unknown_session(const ControlRequest& ask, std::string_view name) {
  return unknown("session", name, session_names(ask));
}

Response unknown_snapshot(const ControlRequest& ask) {
  return unknown("snapshot", ask.argument, ask.context.session.snapshots());
}

json snapshot_words(const ControlRequest& ask, const char* done) {
  return {{"session", ask.context.session.name()}, {"snapshot", ask.argument}, {done, true}};
}

}  // namespace

Response list_sessions(const ControlRequest& ask) {
  json list = json::array();
  for (const auto& summary : ask.context.store.list()) {
    list.push_back(summarise(ask, summary));
  }
  return json_response(200, {{"sessions", list},
                             {"limits",
                              {{"sessions", ask.context.store.limits().sessions},
                               {"bytes", ask.context.store.limits().bytes},
                               {"idle_seconds", ask.context.store.limits().idle.count()}}}});
}

Response show_session(const ControlRequest& ask) {
  for (const auto& summary : ask.context.store.list()) {
    if (summary.name != ask.argument || summary.name.empty()) {
      continue;
    }
    json session = summarise(ask, summary);
    if (const auto found = ask.context.store.find(summary.name)) {
      session["now"] = fixtures::to_text(found->now());
      session["snapshots"] = found->snapshots();
    }
    return json_response(200, session);
  }
  return unknown_session(ask, ask.argument);
}

Response fork_session(const ControlRequest& ask) {
  const json& body = *ask.reading.body;
  const json& name = body["name"];
  const json from = body.value("from", json(ask.context.session.name()));
  const auto source = ask.context.store.find(from.get_ref<const std::string&>());
  if (source == nullptr) {
    return unknown_session(ask, from.get_ref<const std::string&>());
  }
  switch (ask.context.store.fork(*source, name.get_ref<const std::string&>())) {
    case state::Fork::kTaken:
      return conflict("body/name: there is a session \"" + name.get<std::string>() + "\" already");
    case state::Fork::kFull: return no_room();
    case state::Fork::kDone: break;
  }
  return json_response(201, {{"session", name}, {"from", from}});
}

Response delete_session(const ControlRequest& ask) {
  const auto session = ask.context.store.find(ask.argument);
  if (!state::is_session_name(ask.argument) || session == nullptr) {
    return unknown_session(ask, ask.argument);
  }
  ask.context.journal.clear(session->serial());
  ask.context.store.remove(ask.argument);
  return json_response(200, {{"session", ask.argument}, {"deleted", true}});
}

Response list_snapshots(const ControlRequest& ask) {
  return json_response(
      200, {{"session", ask.context.session.name()}, {"snapshots", ask.context.session.snapshots()}});
}

Response take_snapshot(const ControlRequest& ask) {
  if (!state::is_session_name(ask.argument)) {
    return reject(fixtures::ErrorKind::kInvalidParameters,
                  "path: a snapshot's name must be 1 to 64 letters, digits, '.', '_' or '-'");
  }
  return ask.context.session.take_snapshot(ask.argument) == state::Put::kDone
             ? json_response(200, snapshot_words(ask, "taken"))
             : no_room();
}

Response restore_snapshot(const ControlRequest& ask) {
  const auto restored = ask.context.session.restore_snapshot(ask.argument);
  if (!restored) {
    return unknown_snapshot(ask);
  }
  return *restored == state::Put::kDone ? json_response(200, snapshot_words(ask, "restored"))
                                        : no_room();
}

Response drop_snapshot(const ControlRequest& ask) {
  return ask.context.session.drop_snapshot(ask.argument)
             ? json_response(200, snapshot_words(ask, "deleted"))
             : unknown_snapshot(ask);
}

}  // namespace mock_server::control
