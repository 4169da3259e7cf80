#include "mock_server/record/recording_folder.hpp"

#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/journal/journal_json.hpp"
#include "spec/document/library.hpp"
#include "spec/document/text_file.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <fcntl.h>
#include <stdexcept>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mock_server::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Says that a recording wrote the folder, and which records are its own.
constexpr const char* kMark = ".recording";

std::string pretty(const json& value) {
  return spec::json::write_pretty(value) + '\n';
}

// The members of the second that differ from the first: "/name, /email".
std::string differences(const json& before, const json& after) {
  std::string names;
  for (const auto& [name, value] : after.items()) {
    if (!before.contains(name) || !spec::json::equal(before.at(name), value)) {
      names += (names.empty() ? "/" : ", /") + name;
    }
  }
  for (const auto& [name, value] : before.items()) {
    if (!after.contains(name)) {
      names += (names.empty() ? "/" : ", /") + name + " (gone)";
    }
  }
  return names;
}

// A body that is not in the recording is not empty: its text is missing.
void note_missing_bodies(const spec::har::Call& call, json& entry) {
  if (!call.has_request_body) {
    entry["request"]["bodySize"] = -1;
    entry["request"]["postData"] = {
        {"mimeType", call.request.headers.find("Content-Type").value_or("")}};
  }
  if (!call.has_response_body) {
    entry["response"]["bodySize"] = -1;
    entry["response"]["content"]["size"] = -1;
    entry["response"]["content"].erase("text");
  }
  if (!call.has_request_body || !call.has_response_body) {
    entry["comment"] = "a body is missing here";
  }
}

// Without tokens: who records must not be who may call.
void merge_operations(const json& from, json& into) {
  for (const char* const part : {"collections", "operations", "errors"}) {
    if (from.is_object() && from.contains(part) && from.at(part).is_object()) {
      for (const auto& [name, value] : from.at(part).items()) {
        into[part][name] = value;
      }
    }
  }
}

}  // namespace

Folder::Folder(fs::path path, bool merge, std::string_view flags) : path_(std::move(path)) {
  const std::string prefix(flags);
  std::error_code error;
  if (fs::exists(path_, error) && !fs::is_directory(path_, error)) {
    throw spec::LoadError(path_, "is no folder; name a folder with " + prefix + "into");
  }
  const fs::path mark = path_ / kMark;
  if (fs::exists(mark, error)) {
    const auto text = spec::document::read_file(mark);
    const auto value = text ? spec::json::read(*text) : spec::json::read("null");
    if (!value || !value->is_object()) {
      throw spec::LoadError(
          mark, "cannot be read as the mark of a recording; delete it and use " + prefix + "merge");
    }
    is_recording_ = true;
    for (const json& one : value->value("records", json::array())) {
      recorded_.insert(one.is_string() ? one.get<std::string>() : "");
    }
  }
  auto files = api::loading::fixture_files(path_);
  for (fs::path& file : files) {
    file = file.lexically_relative(path_);
  }
  if (!files.empty() && !is_recording_ && !merge) {
    throw spec::LoadError(
        path_, "holds fixtures that no recording wrote (" + files.front().string() +
                   " for one); name another folder, or change records in place with " + prefix +
                   "merge");
  }
  for (const fs::path& file : files) {
    if (file.extension() == ".json") {
      read_json(file);
    } else {
      yaml_.push_back(file);
    }
  }
}

void Folder::read_json(const fs::path& file) {
  const auto text = spec::document::read_file(path_ / file);
  if (!text) {
    throw spec::LoadError(path_ / file, "cannot be read: " + text.error());
  }
  auto value = spec::json::read(*text);
  if (!value || !value->is_object()) {
    throw spec::LoadError(path_ / file, "must be a JSON object to be changed" +
                                            (value ? std::string() : ": " + value.error().message));
  }
  texts_.emplace(file, std::move(*value));
}

void Folder::reject_yaml(const std::string& collection, const std::string& key) const {
  for (const fs::path& file : yaml_) {
    const bool is_own = file.parent_path() == collection && file.stem() == key;
    const auto is_inside = [&] {
      spec::document::Library library;
      return file.stem() == collection && !file.has_parent_path() &&
             static_cast<bool>(library.open(path_ / file).find(key));
    };
    if (is_own || is_inside()) {
      throw spec::LoadError(path_ / file,
                            "holds the record " + collection + '/' + key +
                                ", which was recorded anew; YAML is not changed in place: write "
                                "the file as JSON, or record into another folder and serve both");
    }
  }
}

void Folder::add_records(const Plan& plan, Changes& changes, std::set<std::string>& written) const {
  auto texts = texts_;
  std::set<fs::path> changed;
  for (const auto& [collection, records] : plan.records) {
    for (const auto& [key, record] : records) {
      const std::string name = collection + '/' + key;
      reject_yaml(collection, key);
      const fs::path own = fs::path(collection) / (key + ".json");
      const bool is_alone = texts.contains(own);
      const fs::path file = is_alone ? own : fs::path(collection + ".json");
      json& whole = texts.try_emplace(file, json::object()).first->second;
      json& place = is_alone ? whole : whole[key];
      written.insert(name);
      if (place.is_null()) {
        changes.lines.push_back(name + ": added");
      } else if (const std::string what = differences(place, record); !what.empty()) {
        changes.lines.push_back(name + ": changed " + what +
                                (recorded_.contains(name) ? "" : " (no recording wrote it)"));
      } else {
        continue;
      }
      place = record;
      changed.insert(file);
    }
  }
  for (const fs::path& file : changed) {
    changes.files[file] = pretty(texts.at(file));
  }
}

void Folder::add_scenario(const Plan& plan, Changes& changes) const {
  const fs::path file = fs::path("scenarios") / (std::string(kScenario) + ".json");
  const auto before = texts_.find(file);
  json whole = before == texts_.end()
                   ? json{{"description", "Responses that were recorded and are no records."}}
                   : before->second;
  json& rules = whole["rules"];
  rules = rules.is_array() ? rules : json::array();
  const json old = rules;
  for (const json& rule : plan.rules) {
    const auto same = std::ranges::find_if(rules, [&rule](const json& other) {
      return other.value("operations", json()) == rule.value("operations", json()) &&
             other.value("when", json()) == rule.value("when", json());
    });
    const std::string name = "scenario " + std::string(kScenario) + ": rule of " +
                             rule.at("operations").front().get<std::string>();
    if (same == rules.end()) {
      rules.push_back(rule);
      changes.lines.push_back(name + " added, " + std::to_string(rule.at("steps").size()) +
                              " steps");
    } else if (*same != rule) {
      *same = rule;
      changes.lines.push_back(name + " changed");
    }
  }
  if (rules != old) {
    changes.files[file] = pretty(whole);
  }
}

void Folder::add_operations(const api::LoadedApi& api, Changes& changes) const {
  const fs::path file = "operations.yaml";
  const bool is_there = std::ranges::any_of(yaml_, [](const fs::path& one) {
    return one.stem() == "operations" && !one.has_parent_path();
  });
  if ((is_there && !is_recording_) || texts_.contains("operations.json")) {
    return;
  }
  json whole = json::object();
  if (!api.fixtures.inferred_operations().empty()) {
    spec::document::Library library;
    merge_operations(library
                         .add("recording:inferred", "inferred", api.fixtures.inferred_operations(),
                              spec::document::Format::kYaml)
                         .value(),
                     whole);
  }
  for (const fs::path& folder : api.options.folders) {
    const auto given = api::loading::operations_file(folder);
    std::error_code error;
    if (given && !fs::equivalent(folder, path_, error)) {
      spec::document::Library library;
      merge_operations(library.open(*given).value(), whole);
    }
  }
  const std::string text = pretty(whole);
  const auto old = spec::document::read_file(path_ / file);
  if (!old || *old != text) {
    changes.files[file] = text;
    changes.lines.emplace_back(old ? "operations.yaml: changed" : "operations.yaml: added");
  }
}

Changes Folder::changes(const api::LoadedApi& api, const Plan& plan) const {
  Changes changes;
  std::set<std::string> written = recorded_;
  add_records(plan, changes, written);
  add_scenario(plan, changes);
  add_operations(api, changes);
  if (written != recorded_ || !is_recording_) {
    changes.files[kMark] = pretty({{"version", 1}, {"records", written}});
  }
  return changes;
}

void Folder::prepare(bool makes_key) const {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw std::runtime_error(path_.string() + ": cannot be made: " + error.message());
  }
  constexpr unsigned kPrivate = 0600;
  if (makes_key && !fs::exists(path_ / kKeyFile, error)) {
    write_whole(path_ / kKeyFile, make_key_text(), kPrivate);
  }
  if (!is_recording_) {
    write_whole(path_ / kMark, pretty({{"version", 1}, {"records", recorded_}}));
  }
}

void Folder::write(const Changes& changes) const {
  for (const auto& [file, text] : changes.files) {
    std::error_code error;
    fs::create_directories((path_ / file).parent_path(), error);
    write_whole(path_ / file, text);
  }
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor_);
    throw spec::LoadError(
        folder, "another program records into this folder; end it, or name another folder");
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

std::string har_of_lines(std::string_view lines, std::string_view version) {
  std::vector<spec::Problem> problems;
  std::deque<std::string> entries;
  for (const LineCall& one : read_lines(lines, "", problems)) {
    state::Entry entry;
    entry.id = entries.size() + 1;
    entry.request = one.call.request;
    entry.response.status = 0;
    if (one.call.response) {
      entry.response = *one.call.response;
    }
    entry.request_body_bytes = entry.request.body.size();
    entry.response_body_bytes = entry.response.body.size();
    json har = journal::har_entry(entry, "http");
    har["startedDateTime"] = one.call.started.empty() ? "1970-01-01T00:00:00Z" : one.call.started;
    har["time"] = one.call.time_ms;
    har["timings"]["wait"] = one.call.time_ms;
    if (!one.call.origin.empty()) {
      har["request"]["url"] = one.call.url;
    }
    note_missing_bodies(one.call, har);
    entries.push_back(spec::json::write(har));
  }
  return journal::har(entries, version);
}

}  // namespace mock_server::record
