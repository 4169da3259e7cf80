#include "mock_server/control/fixture_changes.hpp"

#include "mock_server/api/loading/edit_fixtures.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/loading/write_yaml.hpp"
#include "mock_server/reply/entity.hpp"
#include "spec/document/library.hpp"
#include "spec/document/text_file.hpp"
#include "spec/document/uri.hpp"
#include "spec/json/value.hpp"
#include "spec/load_error.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

namespace mock_server::control {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;

constexpr std::array<std::string_view, 3> kEndings{".yaml", ".yml", ".json"};

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

bool is_json(const fs::path& file) {
  return file.extension() == ".json";
}

std::string entry_text(const Entry& entry, const EntryPlace& place) {
  if (!entry.value) {
    return (is_json(place.file) ? "without " : "# without ") + entry.key + '\n';
  }
  const bool is_whole = place.key.empty() && entry.value->is_object();
  const json shown = is_whole ? *entry.value : json{{entry.key, *entry.value}};
  return is_json(place.file) ? spec::json::write_pretty(shown) + '\n'
                             : api::loading::yaml_block(shown);
}

// The file's text with the entry.
spec::Result<std::string, std::string> edited(const EntryPlace& place, const std::string& text,
                                              const Entry& entry) {
  const std::string name = place.file.generic_string();
  return is_json(place.file) ? api::loading::edit_json(text, name, place.key, entry.value)
                             : api::loading::edit_yaml(text, name, place.key, entry.value);
}

void add_change(const fs::path& folder, const Entry& entry, Changes& changes) {
  const EntryPlace place = place_of(folder, entry);
  FileChange& change = change_of(changes, place.file);
  change.entries += entry_text(entry, place);
  if (!entry.value && place.key.empty()) {
    change.after.reset();
    return;
  }
  const std::string before = change.after.value_or("");
  auto text = edited(place, before, entry);
  if (!text) {
    changes.problems.push_back(text.error());
    return;
  }
  if (!entry.value && *text == before) {
    changes.problems.push_back(place.file.generic_string() + ": has no " +
                               spec::text::in_quotes(entry.key) +
                               "; another folder of fixtures does");
  }
  change.after = std::move(*text);
}

// Makes `text` that of the file; without one there is no file then. Returns the reason if it
// failed.
std::string put(const fs::path& file, const std::optional<std::string>& text) {
  std::error_code error;
  if (!text) {
    fs::remove(file, error);
    return error ? error.message() : "";
  }
  fs::create_directories(file.parent_path(), error);
  return error ? error.message()
               : spec::document::replace_file(fs::weakly_canonical(file, error), *text);
}

}  // namespace

Changes changes_for(const fs::path& folder, const std::vector<Entry>& entries) {
  Changes changes;
  for (const Entry& entry : entries) {
    add_change(folder, entry, changes);
  }
  std::erase_if(changes.files, [&](const FileChange& change) {
    return changes.problems.empty() && change.before && change.before == change.after;
  });
  return changes;
}

void check(const api::LoadedApi& api, Changes& changes) {
  using spec::document::Format;
  spec::document::Library texts;
  api::loading::UnwrittenFiles unwritten;
  try {
    for (const FileChange& change : changes.files) {
      if (!change.after) {
        unwritten.removed.push_back(change.file);
        continue;
      }
      if (!change.before) {
        unwritten.added.push_back(change.file);
      }
      texts.add(spec::document::file_uri(fs::absolute(change.file).lexically_normal()),
                change.file.generic_string(), *change.after,
                is_json(change.file) ? Format::kJson : Format::kYaml);
    }
    api::load_fixtures(api.contract, api.options, std::move(texts), std::move(unwritten));
  } catch (const spec::LoadError& error) {
    std::ranges::transform(error.problems(), std::back_inserter(changes.problems),
                           [](const spec::Problem& problem) { return to_line(problem); });
  }
}

std::string tag_of(const Changes& changes) {
  std::string all;
  for (const FileChange& change : changes.files) {
    all += change.file.string() + '\0' + change.before.value_or("\x01") + '\0';
  }
  return reply::make_entity_tag(all);
}

std::string write_files(const Changes& changes) {
  for (std::size_t at = 0; at < changes.files.size(); ++at) {
    const FileChange& change = changes.files[at];
    const std::string why = put(change.file, change.after);
    if (why.empty()) {
      continue;
    }
    for (std::size_t done = 0; done < at; ++done) {
      (void)put(changes.files[done].file, changes.files[done].before);
    }
    return change.file.generic_string() + " cannot be written: " + why;
  }
  return "";
}

}  // namespace mock_server::control
