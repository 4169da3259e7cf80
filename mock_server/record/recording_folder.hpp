#pragma once

// The folder of a recording: fixtures that a mock reads, calls as lines and as HAR, the key of the
// redaction. Records that are there are changed in place; nothing is written twice.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/record/call_lines.hpp"
#include "mock_server/record/fixture_plan.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::record {

// The files to be written, and what that changes.
struct Changes {
  std::map<std::filesystem::path, std::string> files;  // new texts, of files that change
  std::vector<std::string> lines;                      // "customers/cus_1: changed /name, /email"
};

class Folder {
 public:
  // Reads what is there. Throws LoadError for a folder with fixtures that no recording wrote,
  // unless `merge`, and for files that cannot be read. `flags` begins the flags that it names.
  Folder(std::filesystem::path path, bool merge, std::string_view flags);

  const std::filesystem::path& path() const { return path_; }

  // Throws LoadError if a record is in a YAML file: that cannot be changed in place.
  Changes changes(const api::LoadedApi& api, const Plan& plan) const;

  // Makes the folder, and its key if `makes_key`, before anything is written.
  void prepare(bool makes_key) const;
  // Throws std::runtime_error with path and reason; each file is as before or whole.
  void write(const Changes& changes) const;

 private:
  struct Place {
    std::filesystem::path file;
    bool is_alone = false;  // the file is the record
  };

  void read_json(const std::filesystem::path& file);
  // Throws where a file of YAML, which is not changed in place, has the record.
  void reject_yaml(const std::string& collection, const std::string& key) const;
  void add_records(const Plan& plan, Changes& changes, std::set<std::string>& written) const;
  void add_scenario(const Plan& plan, Changes& changes) const;
  void add_operations(const api::LoadedApi& api, Changes& changes) const;

  std::filesystem::path path_;
  bool is_recording_ = false;
  std::set<std::string> recorded_;                         // "customers/cus_1"
  std::map<std::filesystem::path, nlohmann::json> texts_;  // JSON files by relative path
  std::vector<std::filesystem::path> yaml_;                // the others
};

// Keeps other programs from recording into the folder while it lives; the system ends it with the
// program. Throws LoadError if one does.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

// The HAR 1.2 of the calls in a text of lines. Source:
// http://www.softwareishard.com/blog/har-12-spec/.
std::string har_of_lines(std::string_view lines, std::string_view version);

}  // namespace mock_server::record
