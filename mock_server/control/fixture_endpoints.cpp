// What a session changed, written into the last fixtures folder: as a change of the texts that are
// there.

#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/control/control_request.hpp"
#include "mock_server/control/endpoints.hpp"
#include "mock_server/control/fixture_changes.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "mock_server/state/session_store.hpp"
#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::control {
namespace {

namespace fs = std::filesystem;

using api::Collection;
using nlohmann::json;
using spec::http::Response;

// What is to be saved, and what is not in it.
struct Chosen {
  std::vector<Entry> entries;
  std::vector<std::string> left_out;
  std::vector<std::string> problems;
};

std::optional<json> text_value(std::string_view text) {
  auto value = spec::json::read(text);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

std::string text_in_body(const ControlRequest& request, const char* member) {
  return request.reading.body->value(member, std::string());
}

// What the session changed of the collection.
void add_changed(const ControlRequest& request, const Collection& collection,
                 std::vector<Entry>& entries) {
  const std::string start = state::record_cell(collection.name(), "");
  for (const auto& [name, cell] : request.context.session.cells(start)) {
    entries.push_back({&collection, std::string(name.substr(start.size())),
                       cell.view().empty() ? std::nullopt : text_value(cell.view())});
  }
}

void add_scenarios(const ControlRequest& request, std::vector<Entry>& entries) {
  const std::string start = state::own_scenario_cell("");
  for (const auto& [name, cell] : request.context.session.cells(start)) {
    entries.push_back({nullptr, std::string(name.substr(start.size())), text_value(cell.view())});
  }
}

// The record as the session shows it.
spec::Result<Entry, Response> record_entry(const ControlRequest& request,
                                           const Collection& collection, const std::string& key) {
  const state::Cell cell = request.context.session.read(state::record_cell(collection.name(), key));
  if (cell) {
    return Entry{&collection, key, cell.view().empty() ? std::nullopt : text_value(cell.view())};
  }
  const auto index = collection.find(key);
  if (!index) {
    return spec::Unexpected{unknown("record of " + collection.name(), key, {})};
  }
  return Entry{&collection, key, collection.records()[*index].value};
}

spec::Result<Chosen, Response> record_entries(const ControlRequest& request,
                                              const std::string& name) {
  const auto& all = request.context.api.fixtures.collections();
  const auto found = all.find(name);
  if (found == all.end()) {
    std::vector<std::string> names;
    for (const auto& entry : all) {
      names.push_back(entry.first);
    }
    return spec::Unexpected{unknown("collection", name, names)};
  }
  Chosen chosen;
  if (!request.reading.body->contains("key")) {
    add_changed(request, found->second, chosen.entries);
    return chosen;
  }
  auto one = record_entry(request, found->second, text_in_body(request, "key"));
  if (!one) {
    return spec::Unexpected{std::move(one.error())};
  }
  chosen.entries.push_back(std::move(*one));
  return chosen;
}

// What a scenario of the session does not hold, in words.
std::vector<std::string> left_out(const ControlRequest& request,
                                  const std::vector<state::ArmedScenario>& armed) {
  const state::Session& session = request.context.session;
  std::vector<std::string> words;
  std::size_t records = 0;
  for (const auto& entry : request.context.api.fixtures.collections()) {
    records += session.cells(state::record_cell(entry.first, "")).size();
  }
  if (records > 0) {
    words.push_back(std::to_string(records) + (records == 1 ? " changed record: save it, too"
                                                            : " changed records: save them, too"));
  }
  if (session.clock() != state::ClockSetting{}) {
    words.emplace_back("the clock of the session");
  }
  if (session.read(state::kSeedCell)) {
    words.emplace_back("the seed of the session");
  }
  if (std::ranges::any_of(armed, [&](const auto& one) {
        return !session.cells(state::rule_cells(one.name)).empty();
      })) {
    words.emplace_back("how far its rules have come: each begins with its first step");
  }
  return words;
}

// The rules of everything that the session has armed, its own and those of the fixtures, as one
// scenario.
Chosen session_as_scenario(const ControlRequest& request, const std::string& name) {
  const state::Session& session = request.context.session;
  const auto armed = state::read_armed(session.read(state::kArmedCell).view());
  json rules = json::array();
  std::string names;
  for (const state::ArmedScenario& one : armed) {
    if (const auto scenario = api::find_scenario(request.context.api, session, one.name)) {
      const json whole = scenario->node.value();
      std::ranges::copy(whole.value("rules", json::array()), std::back_inserter(rules));
      names += (names.empty() ? "" : ", ") + one.name;
    }
  }
  if (rules.empty()) {
    return {{}, {}, {"nothing is armed in this session; arm a scenario, a rule or a fault first"}};
  }
  json scenario{{"description", "What a session had armed: " + names + '.'}, {"rules", rules}};
  return {{{nullptr, name, std::move(scenario)}}, left_out(request, armed), {}};
}

// What the body asks for: a record, a collection, a scenario, or all that the session changed.
spec::Result<Chosen, Response> chosen_entries(const ControlRequest& request) {
  if (const std::string name = text_in_body(request, "collection"); !name.empty()) {
    return record_entries(request, name);
  }
  if (const std::string name = text_in_body(request, "as_scenario"); !name.empty()) {
    return session_as_scenario(request, name);
  }
  Chosen chosen;
  add_scenarios(request, chosen.entries);
  if (const std::string name = text_in_body(request, "scenario"); !name.empty()) {
    for (const Entry& entry : chosen.entries) {
      if (entry.key == name) {
        return Chosen{{entry}, {}, {}};
      }
    }
    return spec::Unexpected{unknown("scenario of this session", name, {})};
  }
  for (const auto& [name, collection] : request.context.api.fixtures.collections()) {
    add_changed(request, collection, chosen.entries);
  }
  return chosen;
}

// The folder that is written to; "" for none.
fs::path folder_of(const ControlRequest& request) {
  const auto& folders = request.context.api.options.folders;
  return request.context.settings.fixtures.has_folder && !folders.empty() ? folders.back()
                                                                          : fs::path();
}

std::string why_not_written(const Settings& settings) {
  if (!settings.fixtures.has_folder) {
    return "there is no folder to write to; start the mock with --fixtures DIR --edit-fixtures";
  }
  return settings.fixtures.may_edit
             ? ""
             : "fixtures are read only here; start the mock with --edit-fixtures";
}

json to_json(const ControlRequest& request, const Chosen& chosen, const Changes& changes,
             bool is_written) {
  json files = json::array();
  for (const FileChange& change : changes.files) {
    files.push_back({{"file", change.file.generic_string()},
                     {"before", change.before ? json(*change.before) : json(nullptr)},
                     {"after", change.after ? json(*change.after) : json(nullptr)},
                     {"entries", change.entries}});
  }
  return {{"session", request.context.session.name()},
          {"files", std::move(files)},
          {"problems", changes.problems},
          {"left_out", chosen.left_out},
          {"tag", tag_of(changes)},
          {"why_not", why_not_written(request.context.settings)},
          {"written", is_written}};
}

// Scripts of a browser send Origin with each POST, and it must be that of the mock itself.
bool is_own_page(const ControlRequest& request) {
  const auto origin = request.http.headers.find("Origin");
  const auto site = request.http.headers.find("Sec-Fetch-Site").value_or("none");
  const std::string own = request.context.settings.scheme + "://" +
                          std::string(request.http.headers.find("Host").value_or(""));
  return origin ? spec::text::equals_ignoring_case(*origin, own)
                : site == "none" || site == "same-origin";
}

Response write_changes(const ControlRequest& request, const Chosen& chosen,
                       const Changes& changes) {
  const Settings& settings = request.context.settings;
  if (const std::string why = why_not_written(settings); !why.empty()) {
    return reject(api::ErrorKind::kForbidden, why);
  }
  if (!is_own_page(request)) {
    return reject(api::ErrorKind::kForbidden,
                  "header/Origin: fixtures are written for pages of the mock itself alone");
  }
  if (text_in_body(request, "tag") != tag_of(changes)) {
    return reply::error_response(409, "CONFLICT",
                                 "the fixtures changed since they were read; nothing was written",
                                 to_json(request, chosen, changes, false));
  }
  if (!changes.problems.empty()) {
    return reject(api::ErrorKind::kInvalidBody, changes.problems);
  }
  if (const std::string why = write_files(changes); !why.empty()) {
    return conflict(why);
  }
  if (settings.fixtures.reload) {
    settings.fixtures.reload();
  }
  return reply::json_response(200, to_json(request, chosen, changes, true));
}

}  // namespace

Response save_fixtures(const ControlRequest& request) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const auto chosen = chosen_entries(request);
  if (!chosen) {
    return chosen.error();
  }
  const fs::path folder = folder_of(request);
  Changes changes = changes_for(folder, chosen->entries);
  std::ranges::copy(chosen->problems, std::back_inserter(changes.problems));
  if (!folder.empty() && changes.problems.empty() && !changes.files.empty()) {
    check(request.context.api, changes);
  }
  return request.reading.body->value("write", false)
             ? write_changes(request, *chosen, changes)
             : reply::json_response(200, to_json(request, *chosen, changes, false));
}

}  // namespace mock_server::control
