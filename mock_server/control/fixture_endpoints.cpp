// What a session changed, written into the last fixtures folder: as a change of the texts that are
// there.

#include "mock_server/api/loading/edit_yaml.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/control/control_request.hpp"
#include "mock_server/control/endpoints.hpp"
#include "mock_server/reply/entity.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/cells.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "mock_server/state/session_store.hpp"
#include "spec/document/text_file.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"
#include "spec/non_copyable.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace mock_server::control {
namespace {

namespace fs = std::filesystem;

using api::Collection;
using nlohmann::json;
using spec::http::Response;

// What is to be in the folder then. Without a collection it is a scenario; without a value the
// record is to go.
struct Entry {
  const Collection* collection = nullptr;
  std::string key;
  std::optional<json> value;
};

// A file's text before and after, and the entries alone, to be copied.
struct FileChange {
  fs::path file;
  std::optional<std::string> before;  // nothing: there is no such file
  std::string after;
  std::string entries;
};

struct Changes {
  std::vector<FileChange> files;
  std::vector<std::string> problems;  // what cannot be changed, and why
};

constexpr std::array<std::string_view, 3> kEndings{".yaml", ".yml", ".json"};

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

spec::Result<std::vector<Entry>, Response> record_entries(const ControlRequest& request,
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
  std::vector<Entry> entries;
  if (!request.reading.body->contains("key")) {
    add_changed(request, found->second, entries);
    return entries;
  }
  auto one = record_entry(request, found->second, text_in_body(request, "key"));
  if (!one) {
    return spec::Unexpected{std::move(one.error())};
  }
  entries.push_back(std::move(*one));
  return entries;
}

// The rules of everything that the session made and armed, as one scenario.
Entry session_as_scenario(const ControlRequest& request, const std::string& name) {
  std::vector<Entry> own;
  add_scenarios(request, own);
  const auto armed = state::read_armed(request.context.session.read(state::kArmedCell).view());
  json rules = json::array();
  for (const Entry& entry : own) {
    const bool is_armed =
        std::ranges::find(armed, entry.key, &state::ArmedScenario::name) != armed.end();
    if (is_armed && entry.value) {
      for (const json& rule : entry.value->value("rules", json::array())) {
        rules.push_back(rule);
      }
    }
  }
  return {nullptr, name, json{{"description", "What a session had armed."}, {"rules", rules}}};
}

// What the body asks for: a record, a collection, a scenario, or all that the session changed.
spec::Result<std::vector<Entry>, Response> chosen_entries(const ControlRequest& request) {
  if (const std::string name = text_in_body(request, "collection"); !name.empty()) {
    return record_entries(request, name);
  }
  if (const std::string name = text_in_body(request, "as_scenario"); !name.empty()) {
    return std::vector{session_as_scenario(request, name)};
  }
  std::vector<Entry> entries;
  add_scenarios(request, entries);
  if (const std::string name = text_in_body(request, "scenario"); !name.empty()) {
    for (const Entry& entry : entries) {
      if (entry.key == name) {
        return std::vector{entry};
      }
    }
    return spec::Unexpected{unknown("scenario of this session", name, {})};
  }
  for (const auto& [name, collection] : request.context.api.fixtures.collections()) {
    add_changed(request, collection, entries);
  }
  return entries;
}

// The folder that is written to; "" for none.
fs::path folder_of(const ControlRequest& request) {
  const auto& folders = request.context.api.options.folders;
  return request.context.settings.fixtures.has_folder && !folders.empty() ? folders.back()
                                                                          : fs::path();
}

std::optional<fs::path> existing(const fs::path& stem) {
  for (const std::string_view ending : kEndings) {
    const fs::path file = stem.string() + std::string(ending);
    std::error_code error;
    if (fs::is_regular_file(file, error)) {
      return file;
    }
  }
  return std::nullopt;
}

// A file that has the entry, or is to have it, and the key in it; "" if the file is the entry.
struct EntryPlace {
  fs::path file;
  std::string key;
};

bool is_file_name(std::string_view key) {
  static constexpr std::string_view kMore = "._-";
  return !key.empty() && key.size() < 200 && key.front() != '.' &&
         std::ranges::all_of(key, [&](char c) {
           return spec::text::is_letter_or_digit(c) || kMore.find(c) != std::string_view::npos;
         });
}

EntryPlace place_of(const fs::path& folder, const Entry& entry) {
  if (entry.collection == nullptr) {
    const fs::path stem = folder / "scenarios" / entry.key;
    return {existing(stem).value_or(stem.string() + ".yaml"), ""};
  }
  const fs::path stem = folder / entry.collection->name();
  if (is_file_name(entry.key)) {
    if (auto alone = existing(stem / entry.key)) {
      return {std::move(*alone), ""};
    }
  }
  if (auto together = existing(stem)) {
    return {std::move(*together), entry.key};
  }
  std::error_code error;
  return fs::is_directory(stem, error) && is_file_name(entry.key)
             ? EntryPlace{stem / (entry.key + ".yaml"), ""}
             : EntryPlace{stem.string() + ".yaml", entry.key};
}

FileChange& change_of(Changes& changes, const fs::path& file) {
  const auto found = std::ranges::find(changes.files, file, &FileChange::file);
  if (found != changes.files.end()) {
    return *found;
  }
  FileChange fresh{file, std::nullopt, "", ""};
  std::error_code error;
  if (fs::exists(file, error)) {
    if (auto text = spec::document::read_file(file)) {
      fresh.before = std::move(*text);
    } else {
      changes.problems.push_back(file.generic_string() + ": " + text.error());
    }
  }
  fresh.after = fresh.before.value_or("");
  changes.files.push_back(std::move(fresh));
  return changes.files.back();
}

std::string entry_text(const Entry& entry, const EntryPlace& place) {
  if (!entry.value) {
    return "# without " + entry.key + '\n';
  }
  return place.key.empty() && entry.value->is_object()
             ? api::loading::yaml_block(*entry.value)
             : api::loading::yaml_block(json{{entry.key, *entry.value}});
}

void add_change(const fs::path& folder, const Entry& entry, Changes& changes) {
  const EntryPlace place = place_of(folder, entry);
  FileChange& change = change_of(changes, place.file);
  change.entries += entry_text(entry, place);
  const std::string name = place.file.generic_string();
  if (place.file.extension() == ".json") {
    changes.problems.push_back(name + ": JSON is not changed in place; change the file by hand");
    return;
  }
  if (!entry.value && place.key.empty()) {
    changes.problems.push_back(name + ": the record is this file; delete it by hand");
    return;
  }
  auto text = api::loading::edit_yaml(change.after, name, place.key, entry.value);
  if (!text) {
    changes.problems.push_back(text.error());
    return;
  }
  if (!entry.value && *text == change.after) {
    changes.problems.push_back(name + ": has no " + spec::text::in_quotes(entry.key) +
                               "; another folder of fixtures does");
  }
  change.after = std::move(*text);
}

Changes changes_for(const fs::path& folder, const std::vector<Entry>& entries) {
  Changes changes;
  for (const Entry& entry : entries) {
    add_change(folder, entry, changes);
  }
  std::erase_if(changes.files, [&](const FileChange& change) {
    return changes.problems.empty() && change.before && *change.before == change.after;
  });
  return changes;
}

// A copy of a folder's fixtures that goes with this.
class FolderCopy : spec::NonCopyable {
 public:
  explicit FolderCopy(const fs::path& folder) : folder_(folder) {
    std::string name = (fs::temp_directory_path() / "counterpart-fixtures-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw fs::filesystem_error("", std::error_code(errno, std::generic_category()));
    }
    copy_ = name;
    for (const fs::path& file : api::loading::fixture_files(folder)) {
      const fs::path to = copy_ / file.lexically_relative(folder);
      fs::create_directories(to.parent_path());
      fs::copy_file(file, to, fs::copy_options::overwrite_existing);
    }
  }

  ~FolderCopy() {
    std::error_code error;
    fs::remove_all(copy_, error);
  }

  const fs::path& path() const { return copy_; }

  void write(const FileChange& change) const {
    const fs::path to = copy_ / change.file.lexically_relative(folder_);
    fs::create_directories(to.parent_path());
    if (const auto why = spec::document::replace_file(to, change.after); !why.empty()) {
      throw spec::LoadError(change.file.generic_string(), why);
    }
  }

  // The path in the folder instead of that in the copy.
  std::string in_folder(std::string line) const {
    const std::string start = copy_.generic_string();
    if (const auto at = line.find(start); at != std::string::npos) {
      line.replace(at, start.size(), folder_.generic_string());
    }
    return line;
  }

 private:
  fs::path folder_;
  fs::path copy_;
};

// Loads the folder with the changes as a reload would, and says what is wrong with it.
void check(const ControlRequest& request, const fs::path& folder, Changes& changes) {
  try {
    const FolderCopy copy(folder);
    auto options = request.context.api.options;
    options.folders.back() = copy.path();
    try {
      std::ranges::for_each(changes.files, [&](const auto& change) { copy.write(change); });
      api::load_fixtures(request.context.api.contract, options, {});
    } catch (const spec::LoadError& error) {
      for (const auto& problem : error.problems()) {
        changes.problems.push_back(copy.in_folder(to_line(problem)));
      }
    }
  } catch (const fs::filesystem_error& error) {
    changes.problems.push_back(folder.generic_string() + ": " + error.code().message());
  }
}

// Changes with every text that is there before, so that a later change of one shows.
std::string tag_of(const Changes& changes) {
  std::string all;
  for (const FileChange& change : changes.files) {
    all += change.file.string() + '\0' + change.before.value_or("\x01") + '\0';
  }
  return reply::make_entity_tag(all);
}

std::string why_not_written(const Settings& settings) {
  if (!settings.fixtures.has_folder) {
    return "there is no folder to write to; start the mock with --fixtures DIR --edit-fixtures";
  }
  return settings.fixtures.may_edit
             ? ""
             : "fixtures are read only here; start the mock with --edit-fixtures";
}

json to_json(const ControlRequest& request, const Changes& changes, bool is_written) {
  json files = json::array();
  for (const FileChange& change : changes.files) {
    files.push_back({{"file", change.file.generic_string()},
                     {"before", change.before ? json(*change.before) : json(nullptr)},
                     {"after", change.after},
                     {"entries", change.entries}});
  }
  return {{"session", request.context.session.name()},
          {"files", std::move(files)},
          {"problems", changes.problems},
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

// Each file whole, or none: those that were written are restored.
std::string write_files(const Changes& changes) {
  for (std::size_t at = 0; at < changes.files.size(); ++at) {
    const FileChange& change = changes.files[at];
    std::error_code error;
    fs::create_directories(change.file.parent_path(), error);
    const std::string why = error ? error.message()
                                  : spec::document::replace_file(
                                        fs::weakly_canonical(change.file, error), change.after);
    if (why.empty()) {
      continue;
    }
    for (std::size_t done = 0; done < at; ++done) {
      const FileChange& back = changes.files[done];
      if (back.before) {
        (void)spec::document::replace_file(back.file, *back.before).empty();
      } else {
        fs::remove(back.file, error);
      }
    }
    return change.file.generic_string() + " cannot be written: " + why;
  }
  return "";
}

Response write_changes(const ControlRequest& request, const Changes& changes) {
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
                                 to_json(request, changes, false));
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
  return reply::json_response(200, to_json(request, changes, true));
}

}  // namespace

Response save_fixtures(const ControlRequest& request) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  auto entries = chosen_entries(request);
  if (!entries) {
    return std::move(entries.error());
  }
  const fs::path folder = folder_of(request);
  Changes changes = changes_for(folder, *entries);
  if (!folder.empty() && changes.problems.empty() && !changes.files.empty()) {
    check(request, folder, changes);
  }
  return request.reading.body->value("write", false)
             ? write_changes(request, changes)
             : reply::json_response(200, to_json(request, changes, false));
}

}  // namespace mock_server::control
