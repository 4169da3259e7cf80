#pragma once

// Records calls into a folder: from files at once, or one by one while a mock forwards them.

#include "mock_server/fixtures/loaded_api.hpp"
#include "mock_server/record/folder.hpp"
#include "mock_server/record/redactor.hpp"

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace mock_server::record {

struct RecordOptions {
  std::vector<std::filesystem::path> from;
  std::filesystem::path into;
  std::string origin;  // "" for the likely one
  bool dry_run = false;
  bool merge = false;
  bool keep_violating = false;
  RedactionOptions redaction;
  std::string key_file;  // "" for the one in the folder
};

// `mock_server record --from ...`. Writes what changed to `out`, what was left out to `notes`.
// Returns the exit code: 0, or 1 if a call was not written because it could not be redacted. Throws
// LoadError for unusable files, std::runtime_error where writing fails.
int record_files(const fixtures::LoadedApi& api, const RecordOptions& options, std::ostream& out,
                 std::ostream& notes, std::string_view version);

// The recording of a mock that runs. Not safe from several threads (live.hpp is).
class Recorder {
 public:
  // `api` must have its fixtures from the folders that answer beside the recording.
  Recorder(std::shared_ptr<const fixtures::LoadedApi> api, RecordOptions options,
           std::string version);

  // Writes the line of the call. Returns why it was not written; "" if it was. Throws
  // std::runtime_error where writing fails.
  std::string add(const spec::har::Call& call);

  // Writes records, scenario and HAR of all calls so far.
  Changes finish();

 private:
  std::shared_ptr<const fixtures::LoadedApi> api_;
  RecordOptions options_;
  std::string version_;
  Folder folder_;
  std::unique_ptr<Redactor> redactor_;
  std::unique_ptr<LineFile> lines_;
  std::vector<ValidatedCall> calls_;
};

}  // namespace mock_server::record
