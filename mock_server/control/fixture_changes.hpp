#pragma once

// What is to be in a folder of fixtures, as a change of the texts that are there: worked out,
// checked as a reload would, written whole or not at all.

#include "mock_server/api/collection.hpp"
#include "mock_server/api/loaded_api.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::control {

// What is to be in the folder then. Without a collection it is a scenario; without a value the
// record is to go.
struct Entry {
  const api::Collection* collection = nullptr;
  std::string key;
  std::optional<nlohmann::json> value;
};

// A file's text before and after, and the entries alone, to be copied.
struct FileChange {
  std::filesystem::path file;
  std::optional<std::string> before;  // nothing: there is no such file
  std::optional<std::string> after;   // nothing: the file goes
  std::string entries;
};

struct Changes {
  std::vector<FileChange> files;
  std::vector<std::string> problems;  // what cannot be changed, and why
};

Changes changes_for(const std::filesystem::path& folder, const std::vector<Entry>& entries);

// Loads the last folder of `api` with the changes as a reload would, without writing them: adds
// what would be wrong then to the problems.
void check(const api::LoadedApi& api, Changes& changes);

// A tag of every text that is there before: another one after a change of others.
std::string tag_of(const Changes& changes);

// Each file whole, or none: those that were written are restored. Returns the reason if it failed.
std::string write_files(const Changes& changes);

}  // namespace mock_server::control
