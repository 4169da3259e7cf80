#include "mock_server/control/records.hpp"

#include "mock_server/control/common.hpp"
#include "mock_server/fixtures/defaults.hpp"
#include "mock_server/fixtures/validate_record.hpp"
#include "mock_server/fixtures/merge_patch.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/state/cell_names.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <utility>

namespace mock_server::control {
namespace {

using fixtures::Collection;
using nlohmann::json;
using reply::json_response;
using spec::http::Response;

constexpr int kMaxTries = 1000;

const Collection* find_collection(const ControlRequest& ask) {
  const auto& all = ask.context.api.fixtures.collections();
  const auto found = all.find(ask.arguments.front());
  return found == all.end() ? nullptr : &found->second;
}

Response unknown_collection(const ControlRequest& ask) {
  std::vector<std::string> names;
  for (const auto& entry : ask.context.api.fixtures.collections()) {
    names.push_back(entry.first);
  }
  return unknown("collection", ask.arguments.front(), names);
}

struct Seen {
  std::optional<json> value;  // nothing when there is no such record
  std::uint64_t version = 0;
};

std::optional<json> read_text(const std::string& text) {
  auto value = spec::json::read(text);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

Seen look(const ControlRequest& ask, const Collection& collection, const std::string& key) {
  const state::Cell cell = ask.context.session.read(state::record_cell(collection.name(), key));
  if (cell) {
    return {read_text(*cell.text), cell.version};
  }
  const auto index = collection.find(key);
  return {index ? std::optional(collection.records()[*index].value) : std::nullopt, 0};
}

// The session's own records and removals of `collection`: key -> text.
std::map<std::string, state::Cell> changes(const ControlRequest& ask, const Collection& collection) {
  std::map<std::string, state::Cell> found;
  if (ask.context.session.is_untouched()) {
    return found;
  }
  const std::string start = state::record_cell(collection.name(), "");
  for (const auto& [name, cell] : ask.context.session.cells()) {
    if (name.starts_with(start)) {
      found.emplace(name.substr(start.size()), cell);
    }
  }
  return found;
}

json line_of(const std::string& key, bool changed, json value) {
  return {{"key", key}, {"changed", changed}, {"record", std::move(value)}};
}

// The fixtures' records in their order, then the session's own.
json lines_of(const ControlRequest& ask, const Collection& collection) {
  auto own = changes(ask, collection);
  json lines = json::array();
  for (const auto& record : collection.records()) {
    const auto change = own.extract(record.key);
    if (!change) {
      lines.push_back(line_of(record.key, false, record.value));
    } else if (auto value = read_text(*change.mapped().text)) {
      lines.push_back(line_of(record.key, true, std::move(*value)));
    }
  }
  for (const auto& [key, cell] : own) {
    if (auto value = read_text(*cell.text)) {
      lines.push_back(line_of(key, true, std::move(*value)));
    }
  }
  return lines;
}

std::vector<std::string> keys_of(const ControlRequest& ask, const Collection& collection) {
  std::vector<std::string> keys;
  for (const json& line : lines_of(ask, collection)) {
    keys.push_back(line["key"].get<std::string>());
  }
  return keys;
}

// Puts `text` in place of what the session has of the record, whatever that is: an empty one
// removes it, none gives back the fixtures'.
state::Put set_text(const ControlRequest& ask, const Collection& collection, const std::string& key,
                    const std::optional<std::string>& text) {
  const std::string name = state::record_cell(collection.name(), key);
  return insist([&] {
    return ask.context.session.compare_and_set(name, ask.context.session.read(name).version, text);
  });
}

Response unknown_record(const ControlRequest& ask, const Collection& collection) {
  return unknown("record of " + collection.name(), ask.argument, keys_of(ask, collection));
}

Response reject_record(const std::vector<fixtures::RecordProblem>& problems) {
  std::vector<std::string> lines;
  for (const auto& problem : problems) {
    lines.push_back("body" + problem.pointer + ": " + in_short(problem));
  }
  return reject(fixtures::ErrorKind::kInvalidBody, std::move(lines));
}

// Members of the body as sent that are likely misspelt: the record may have the right ones already.
std::vector<std::string> warnings_of(const ControlRequest& ask, const Collection& collection) {
  const fixtures::LoadedApi& api = ask.context.api;
  json sent = *ask.reading.body;
  if (ask.request.method == "PATCH") {  // null takes a member out
    sent = json::object();
    fixtures::merge_patch(sent, *ask.reading.body);
  }
  std::vector<std::string> warnings;
  for (const auto& one :
       fixtures::misspelt_members(api.contract, api.fixtures, collection, sent)) {
    warnings.push_back("body" + one.pointer + ": " + one.message);
  }
  return warnings;
}

bool is_key(const std::string& key) {
  constexpr std::size_t kMaxLength = 1024;
  return key.size() <= kMaxLength && spec::text::is_utf8(key);
}

// Validates what `change` makes of the record and keeps it. `change` gives nothing when there must be
// a record and there is none.
template <typename Change>
Response keep(const ControlRequest& ask, const Collection& collection, Change change) {
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const Seen seen = look(ask, collection, ask.argument);
    const std::optional<json> value = change(seen);
    if (!value) {
      return unknown_record(ask, collection);
    }
    const auto problems = fixtures::validate_record(ask.context.api, collection, ask.argument, *value);
    if (!problems.empty()) {
      return reject_record(problems);
    }
    const state::Put put =
        ask.context.session.compare_and_set(state::record_cell(collection.name(), ask.argument),
                                          seen.version, spec::json::write(*value));
    if (put == state::Put::kDone) {
      Response response = json_response(seen.value ? 200 : 201, *value);
      reply::add_warnings(response, warnings_of(ask, collection));
      return response;
    }
    if (put == state::Put::kFull) {
      return no_room();
    }
  }
  return conflict("the record was changed by others again and again");
}

}  // namespace

Response list_collections(const ControlRequest& ask) {
  json list = json::array();
  for (const auto& [name, collection] : ask.context.api.fixtures.collections()) {
    list.push_back({{"name", name},
                    {"records", lines_of(ask, collection).size()},
                    {"changes", changes(ask, collection).size()}});
  }
  return json_response(200, {{"session", ask.context.session.name()}, {"collections", list}});
}

Response list_records(const ControlRequest& ask) {
  const Collection* const collection = find_collection(ask);
  if (collection == nullptr) {
    return unknown_collection(ask);
  }
  return json_response(200, {{"session", ask.context.session.name()},
                             {"collection", collection->name()},
                             {"records", lines_of(ask, *collection)}});
}

Response reset_records(const ControlRequest& ask) {
  const Collection* const collection = find_collection(ask);
  if (collection == nullptr) {
    return unknown_collection(ask);
  }
  const auto own = changes(ask, *collection);
  for (const auto& entry : own) {
    set_text(ask, *collection, entry.first, std::nullopt);
  }
  return json_response(200, {{"session", ask.context.session.name()},
                             {"collection", collection->name()},
                             {"reset", own.size()}});
}

Response reset_record(const ControlRequest& ask) {
  const Collection* const collection = find_collection(ask);
  if (collection == nullptr) {
    return unknown_collection(ask);
  }
  const bool is_changed = changes(ask, *collection).contains(ask.argument);
  if (!is_changed && !collection->find(ask.argument)) {
    return unknown_record(ask, *collection);
  }
  set_text(ask, *collection, ask.argument, std::nullopt);
  return json_response(200, {{"session", ask.context.session.name()},
                             {"collection", collection->name()},
                             {"key", ask.argument},
                             {"reset", is_changed ? 1 : 0}});
}

// To note that a record of the fixtures is gone takes room, so these go first: when there is none,
// they come back. Records of the session's own only give room back.
Response remove_records(const ControlRequest& ask) {
  const Collection* const collection = find_collection(ask);
  if (collection == nullptr) {
    return unknown_collection(ask);
  }
  const auto own = changes(ask, *collection);
  const auto keys = keys_of(ask, *collection);
  std::vector<std::string> removed;
  for (const std::string& key : keys) {
    if (own.contains(key)) {
      continue;
    }
    if (set_text(ask, *collection, key, "") == state::Put::kFull) {
      for (const std::string& back : removed) {
        set_text(ask, *collection, back, std::nullopt);
      }
      return no_room();
    }
    removed.push_back(key);
  }
  for (const std::string& key : keys) {
    if (own.contains(key)) {
      set_text(ask, *collection, key, "");
    }
  }
  return json_response(200, {{"session", ask.context.session.name()},
                             {"collection", collection->name()},
                             {"deleted", keys.size()}});
}

Response show_record(const ControlRequest& ask) {
  const Collection* const collection = find_collection(ask);
  if (collection == nullptr) {
    return unknown_collection(ask);
  }
  const Seen seen = look(ask, *collection, ask.argument);
  return seen.value ? json_response(200, *seen.value) : unknown_record(ask, *collection);
}

Response put_record(const ControlRequest& ask) {
  const Collection* const collection = find_collection(ask);
  if (collection == nullptr) {
    return unknown_collection(ask);
  }
  if (!is_key(ask.argument)) {
    return reject(fixtures::ErrorKind::kInvalidParameters,
                  "path: a record's key must be UTF-8 of at most 1024 bytes");
  }
  json record = *ask.reading.body;
  fixtures::add_defaults(*collection, ask.argument, ask.context.session.now(), record);
  return keep(ask, *collection, [&](const Seen& /*seen*/) { return std::optional(record); });
}

Response patch_record(const ControlRequest& ask) {
  const Collection* const collection = find_collection(ask);
  if (collection == nullptr) {
    return unknown_collection(ask);
  }
  return keep(ask, *collection, [&](const Seen& seen) {
    std::optional<json> changed = seen.value;
    if (changed) {
      fixtures::merge_patch(*changed, *ask.reading.body);
    }
    return changed;
  });
}

Response remove_record(const ControlRequest& ask) {
  const Collection* const collection = find_collection(ask);
  if (collection == nullptr) {
    return unknown_collection(ask);
  }
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const Seen seen = look(ask, *collection, ask.argument);
    if (!seen.value) {
      return unknown_record(ask, *collection);
    }
    const state::Put put = ask.context.session.compare_and_set(
        state::record_cell(collection->name(), ask.argument), seen.version, "");
    if (put == state::Put::kDone) {
      return json_response(
          200, {{"collection", collection->name()}, {"key", ask.argument}, {"deleted", true}});
    }
    if (put == state::Put::kFull) {
      return no_room();
    }
  }
  return conflict("the record was changed by others again and again");
}

}  // namespace mock_server::control
