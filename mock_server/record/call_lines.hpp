#pragma once

// Recorded calls as lines of JSON, one a call: written at once, so that a killed program loses
// none. Lines are sealed with the recording's key: what this folder wrote is not redacted twice.

#include "mock_server/record/call_verdict.hpp"
#include "spec/load_error.hpp"
#include "spec/non_copyable.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::record {

// The names of the files in the folder of a recording.
inline constexpr std::string_view kLinesFile = "calls.jsonl";
inline constexpr std::string_view kHarFile = "calls.har";

// Without a line break. With a redactor that is off, without a seal.
std::string to_line(const ValidatedCall& validated, const Redactor& redactor);

// The line with what has become known as a secret since it was written replaced, and sealed again.
std::string replace_late(std::string_view line, const Redactor& redactor);

struct LineCall {
  spec::har::Call call;
  // The same as in ValidatedCall if the line was sealed: then the call is redacted already.
  std::optional<std::vector<std::string>> redacted{};
};

// Every call; what cannot be read is a problem with its line, a last line that is cut, too. Lines
// are sealed if they were written with `key`; without one, none is.
std::vector<LineCall> read_lines(std::string_view text, const std::string& name,
                                 std::vector<spec::Problem>& problems, const Key* key = nullptr);

// The text of the folder's kLinesFile. Throws std::runtime_error.
std::string read_lines_file(const std::filesystem::path& folder);

// Appends lines to a file. Throws std::runtime_error with path and reason if one cannot be written
// whole; what was there before stays as it was, then.
class LineFile : spec::NonCopyable {
 public:
  explicit LineFile(const std::filesystem::path& path);
  ~LineFile();

  void append(const std::string& line);

  // In bytes.
  std::size_t size() const;

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
};

// Writes the file whole or not at all. `mode`: as of open(). Throws std::runtime_error.
void write_whole(const std::filesystem::path& path, std::string_view text, unsigned mode = 0644);

}  // namespace mock_server::record
