#include "mock_server/control/sessions.hpp"

#include "mock_server/control/common.hpp"
#include "mock_server/fixtures/instant.hpp"
#include "mock_server/reply/answer.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace mock_server::control {
namespace {

using nlohmann::json;
using reply::json_response;
using spec::http::Response;

json summarise(const Ask& ask, const state::SessionSummary& summary) {
  const auto window = ask.scene.journal.window(summary.serial);
  json session{{"name", summary.name},
               {"changes", summary.cells},
               {"requests", {{"noted", window.noted}, {"kept", window.kept}}}};
  if (!summary.name.empty()) {
    session["last_used"] = fixtures::to_text(summary.last_used);
  }
  return session;
}

std::vector<std::string> session_names(const Ask& ask) {
  std::vector<std::string> names;
  for (const auto& summary : ask.scene.store.list()) {
    if (!summary.name.empty()) {
      names.push_back(summary.name);
    }
  }
  return names;
}

Response unknown_session(const Ask& ask, std::string_view name) {
  return unknown("session", name, session_names(ask));
}

Response unknown_snapshot(const Ask& ask) {
  return unknown("snapshot", ask.argument, ask.scene.session.snapshots());
}

json snapshot_words(const Ask& ask, const char* done) {
  return {{"session", ask.scene.session.name()}, {"snapshot", ask.argument}, {done, true}};
}

}  // namespace

Response list_sessions(const Ask& ask) {
  json list = json::array();
  for (const auto& summary : ask.scene.store.list()) {
    list.push_back(summarise(ask, summary));
  }
  return json_response(200, {{"sessions", list},
                             {"limits",
                              {{"sessions", ask.scene.store.limits().sessions},
                               {"bytes", ask.scene.store.limits().bytes},
                               {"idle_seconds", ask.scene.store.limits().idle.count()}}}});
}

Response show_session(const Ask& ask) {
  for (const auto& summary : ask.scene.store.list()) {
    if (summary.name != ask.argument || summary.name.empty()) {
      continue;
    }
    json session = summarise(ask, summary);
    if (const auto found = ask.scene.store.find(summary.name)) {
      session["now"] = fixtures::to_text(found->now());
      session["snapshots"] = found->snapshots();
    }
    return json_response(200, session);
  }
  return unknown_session(ask, ask.argument);
}

Response fork_session(const Ask& ask) {
  const json& body = *ask.reading.body;
  const json& name = body["name"];
  const json from = body.value("from", json(ask.scene.session.name()));
  const auto source = ask.scene.store.find(from.get_ref<const std::string&>());
  if (source == nullptr) {
    return unknown_session(ask, from.get_ref<const std::string&>());
  }
  switch (ask.scene.store.fork(*source, name.get_ref<const std::string&>())) {
    case state::Fork::kTaken:
      return conflict("body/name: there is a session \"" + name.get<std::string>() + "\" already");
    case state::Fork::kFull: return no_room();
    case state::Fork::kDone: break;
  }
  return json_response(201, {{"session", name}, {"from", from}});
}

Response delete_session(const Ask& ask) {
  const auto session = ask.scene.store.find(ask.argument);
  if (!state::is_session_name(ask.argument) || session == nullptr) {
    return unknown_session(ask, ask.argument);
  }
  ask.scene.journal.clear(session->serial());
  ask.scene.store.remove(ask.argument);
  return json_response(200, {{"session", ask.argument}, {"deleted", true}});
}

Response list_snapshots(const Ask& ask) {
  return json_response(
      200, {{"session", ask.scene.session.name()}, {"snapshots", ask.scene.session.snapshots()}});
}

Response take_snapshot(const Ask& ask) {
  if (!state::is_session_name(ask.argument)) {
    return refuse(fixtures::ErrorKind::kInvalidParameters,
                  "path: a snapshot's name must be 1 to 64 letters, digits, '.', '_' or '-'");
  }
  return ask.scene.session.take_snapshot(ask.argument) == state::Put::kDone
             ? json_response(200, snapshot_words(ask, "taken"))
             : no_room();
}

Response restore_snapshot(const Ask& ask) {
  const auto restored = ask.scene.session.restore_snapshot(ask.argument);
  if (!restored) {
    return unknown_snapshot(ask);
  }
  return *restored == state::Put::kDone ? json_response(200, snapshot_words(ask, "restored"))
                                        : no_room();
}

Response drop_snapshot(const Ask& ask) {
  return ask.scene.session.drop_snapshot(ask.argument)
             ? json_response(200, snapshot_words(ask, "deleted"))
             : unknown_snapshot(ask);
}

}  // namespace mock_server::control
