#pragma once

// Records calls into a folder: from files at once. live_recording.hpp records them one by one.

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/record/recording_folder.hpp"
#include "mock_server/record/redactor.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::record {

struct RecordOptions {
  std::vector<std::filesystem::path> from;
  std::filesystem::path into;
  std::string origin;  // "https://api.example.com/v2"; "" for the likely one
  bool dry_run = false;
  // Begins the flags that messages name: "--into", "--record-into".
  std::string flags = "--";
  bool merge = false;
  bool keep_violating = false;
  RedactionOptions redaction;
  std::string key_file;  // "" for the one in the folder
};

// `mock_server record --from ...`. Writes what changed to `out`, what was left out to `notes`.
// Returns the exit code: 0, or 1 if a call was not written because it could not be redacted, or
// nothing was because no call is for an operation. Throws LoadError for unusable files and an
// origin that is no URL, std::runtime_error where writing fails.
int record_files(const api::LoadedApi& api, const RecordOptions& options, std::ostream& out,
                 std::ostream& notes, std::string_view version);

// The given key, the one in the folder, or, for a folder without one, any.
Key key_of(const RecordOptions& options);

// Makes the HAR of the folder's lines anew. Throws std::runtime_error.
void write_har(const std::filesystem::path& folder, std::string_view version);

}  // namespace mock_server::record
