#include "mock_server/api/condition.hpp"
#include "mock_server/api/loading/validate_record.hpp"
#include "mock_server/api/record_access.hpp"
#include "mock_server/api/record_source.hpp"
#include "mock_server/control/control_request.hpp"
#include "mock_server/control/endpoints.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::control {
namespace {

using api::Collection;
using nlohmann::json;
using reply::json_response;
using spec::http::Response;

struct CurrentRecord {
  std::optional<json> value;  // nothing when there is no such record
  std::uint64_t version = 0;
};

std::optional<json> read_text(const std::string& text) {
  auto value = spec::json::read(text);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

CurrentRecord look(const ControlRequest& request, const Collection& collection,
                   const std::string& key) {
  const state::Cell cell = request.context.session.read(state::record_cell(collection.name(), key));
  if (cell) {
    auto value = read_text(*cell.text);
    if (value) {
      value = api::advanced(request.context.session, collection, key, std::move(*value));
    }
    return {std::move(value), cell.version};
  }
  const auto index = collection.find(key);
  return {index ? std::optional(collection.records()[*index].value) : std::nullopt, 0};
}

// The session's own records and removals of `collection`.
state::Cells changes(const ControlRequest& request, const Collection& collection) {
  return request.context.session.cells(state::record_cell(collection.name(), ""));
}

std::vector<std::string> keys_of(const ControlRequest& request, const Collection& collection) {
  std::vector<std::string> keys;
  api::each_record(request.context.session, collection,
                   [&keys](const std::string& key, const auto&, bool) { keys.push_back(key); });
  return keys;
}

// Replaces the session's text of the record: an empty text removes the record, no text restores
// that of the fixtures.
state::Put set_text(const ControlRequest& request, const Collection& collection,
                    const std::string& key, const std::optional<std::string>& text) {
  return set_cell(request.context.session, state::record_cell(collection.name(), key), text);
}

Response unknown_record(const ControlRequest& request, const Collection& collection) {
  return unknown("record of " + collection.name(), request.argument, keys_of(request, collection));
}

Response reject_record(const std::vector<api::RecordProblem>& problems) {
  std::vector<std::string> lines;
  lines.reserve(problems.size());
  for (const auto& problem : problems) {
    lines.push_back("body" + problem.pointer + ": " + in_short(problem));
  }
  return reject(api::ErrorKind::kInvalidBody, std::move(lines));
}

// Probably misspelt members of the body.
std::vector<std::string> warnings_of(const ControlRequest& request, const Collection& collection) {
  const api::LoadedApi& api = request.context.api;
  json sent = *request.reading.body;
  if (request.http.method == "PATCH") {  // null takes a member out
    sent = json::object();
    sent.merge_patch(*request.reading.body);
  }
  std::vector<std::string> warnings;
  for (const auto& one : api::misspelt_members(api.contract, api.fixtures, collection, sent)) {
    warnings.push_back("body" + one.pointer + ": " + one.message);
  }
  return warnings;
}

bool is_key(const std::string& key) {
  constexpr std::size_t kMaxLength = 1024;
  return key.size() <= kMaxLength && spec::text::is_utf8(key);
}

// The request only asks whether the record would be stored.
bool is_dry_run(const ControlRequest& request) {
  const json* const value = request.query("dry_run");
  return value != nullptr && *value == true;
}

Response show_kept(const ControlRequest& request, const Collection& collection, int status,
                   const json& value) {
  Response response = json_response(status, value);
  reply::add_warnings(response, warnings_of(request, collection));
  return response;
}

// Tries `change` until no other request is quicker. It gives the record's new text in the session
// and the response that says so, or a response alone if nothing is to be changed.
template <typename Change>
Response change_record(const ControlRequest& request, const Collection& collection, Change change) {
  for (int tries = 0; tries < state::kMaxTries; ++tries) {
    const CurrentRecord current = look(request, collection, request.argument);
    auto [text, response] = change(current);
    const state::Put put =
        text ? request.context.session.compare_and_set(
                   state::record_cell(collection.name(), request.argument), current.version, text)
             : state::Put::kDone;
    if (put == state::Put::kDone) {
      return std::move(response);
    }
    if (put == state::Put::kFull) {
      return no_room();
    }
  }
  return conflict(state::kChangedTooOften);
}

using Changed = std::pair<std::optional<std::string>, Response>;

// Validates the record that is to be stored.
Changed validated(const ControlRequest& request, const Collection& collection, bool is_new,
                  const json& record) {
  const auto problems =
      api::validate_record(request.context.api, collection, request.argument, record);
  if (!problems.empty()) {
    return {std::nullopt, reject_record(problems)};
  }
  if (is_dry_run(request)) {
    return {std::nullopt, show_kept(request, collection, 200, record)};
  }
  return {spec::json::write(record), show_kept(request, collection, is_new ? 201 : 200, record)};
}

}  // namespace

const Collection* find_collection(const ControlRequest& request) {
  const auto& all = request.context.api.fixtures.collections();
  const auto found = all.find(request.arguments.front());
  return found == all.end() ? nullptr : &found->second;
}

Response unknown_collection(const ControlRequest& request) {
  std::vector<std::string> names;
  for (const auto& entry : request.context.api.fixtures.collections()) {
    names.push_back(entry.first);
  }
  return unknown("collection", request.arguments.front(), names);
}

Response list_collections(const ControlRequest& request) {
  json list = json::array();
  for (const auto& [name, collection] : request.context.api.fixtures.collections()) {
    const std::size_t own = changes(request, collection).size();
    list.push_back({{"name", name},
                    {"records", own == 0 ? collection.size() : keys_of(request, collection).size()},
                    {"changes", own}});
  }
  return json_response(200, {{"session", request.context.session.name()}, {"collections", list}});
}

Response list_records(const ControlRequest& request, const Collection& collection) {
  json lines = json::array();
  api::each_record(request.context.session, collection,
                   [&lines](const std::string& key, const auto& value, bool is_changed) {
                     lines.push_back({{"key", key}, {"changed", is_changed}, {"record", *value}});
                   });
  return json_response(200, {{"session", request.context.session.name()},
                             {"collection", collection.name()},
                             {"records", std::move(lines)}});
}

Response reset_records(const ControlRequest& request, const Collection& collection) {
  const auto own = changes(request, collection);
  for (const auto& entry : own) {
    set_cell(request.context.session, entry.first, std::nullopt);
  }
  return json_response(200, {{"session", request.context.session.name()},
                             {"collection", collection.name()},
                             {"reset", own.size()}});
}

Response reset_record(const ControlRequest& request, const Collection& collection) {
  const bool is_changed = changes(request, collection)
                              .contains(state::record_cell(collection.name(), request.argument));
  if (!is_changed && !collection.find(request.argument)) {
    return unknown_record(request, collection);
  }
  set_text(request, collection, request.argument, std::nullopt);
  return json_response(200, {{"session", request.context.session.name()},
                             {"collection", collection.name()},
                             {"key", request.argument},
                             {"reset", is_changed ? 1 : 0}});
}

// Removing a record of the fixtures needs memory, so these are first: without memory they are
// restored. Removing records of the session only frees memory.
Response remove_records(const ControlRequest& request, const Collection& collection) {
  const auto own = changes(request, collection);
  const auto keys = keys_of(request, collection);
  std::vector<std::string> removed;
  for (const std::string& key : keys) {
    if (own.contains(state::record_cell(collection.name(), key))) {
      continue;
    }
    if (set_text(request, collection, key, "") == state::Put::kFull) {
      for (const std::string& back : removed) {
        set_text(request, collection, back, std::nullopt);
      }
      return no_room();
    }
    removed.push_back(key);
  }
  for (const std::string& key : keys) {
    if (own.contains(state::record_cell(collection.name(), key))) {
      set_text(request, collection, key, "");
    }
  }
  return json_response(200, {{"session", request.context.session.name()},
                             {"collection", collection.name()},
                             {"deleted", keys.size()}});
}

Response show_record(const ControlRequest& request, const Collection& collection) {
  const CurrentRecord current = look(request, collection, request.argument);
  return current.value ? json_response(200, *current.value) : unknown_record(request, collection);
}

// The key without those of the parents before it.
std::string own_key(const ControlRequest& request, const Collection& collection) {
  const auto& bindings = request.context.api.fixtures.bindings();
  const auto scoping = std::ranges::find_if(bindings, [&](const auto& binding) {
    return collection.is_scoped() && binding.collection == &collection && !binding.within.empty();
  });
  return scoping == bindings.end() ? std::string(request.argument)
                                   : api::split_key(request.argument, scoping->within.size()).own;
}

// Adds the key to a record that leaves it out.
void add_key(const ControlRequest& request, const Collection& collection, json& record) {
  const auto& api = request.context.api;
  if (collection.id() && record.is_object() && api::walk(&record, *collection.id()) == nullptr) {
    const auto source = api::record_source(api.contract, api.fixtures.bindings(), collection);
    api::set_key(api.contract, collection, source, own_key(request, collection), record);
  }
}

Response put_record(const ControlRequest& request, const Collection& collection) {
  if (!is_key(request.argument)) {
    return reject(api::ErrorKind::kInvalidParameters,
                  "path: a record's key must be UTF-8 of at most 1024 bytes");
  }
  json record = *request.reading.body;
  add_key(request, collection, record);
  api::add_defaults(collection, request.argument, request.context.session.now(), record);
  return change_record(request, collection, [&](const CurrentRecord& current) {
    return validated(request, collection, !current.value, record);
  });
}

Response patch_record(const ControlRequest& request, const Collection& collection) {
  return change_record(request, collection, [&](const CurrentRecord& current) {
    if (!current.value) {
      return Changed{std::nullopt, unknown_record(request, collection)};
    }
    json changed = *current.value;
    changed.merge_patch(*request.reading.body);
    return validated(request, collection, false, changed);
  });
}

Response remove_record(const ControlRequest& request, const Collection& collection) {
  return change_record(request, collection, [&](const CurrentRecord& current) {
    if (!current.value) {
      return Changed{std::nullopt, unknown_record(request, collection)};
    }
    return Changed{"", json_response(200, {{"collection", collection.name()},
                                           {"key", request.argument},
                                           {"deleted", true}})};
  });
}

}  // namespace mock_server::control
