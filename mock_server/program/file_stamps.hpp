#pragma once

// Detects changes of files on disk, for --watch: compares two snapshots of their sizes and times.
// Other files in the same folder (swap files of editors) do not count.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mock_server::program {

struct WatchedPaths {
  std::vector<std::filesystem::path> files;
  std::vector<std::filesystem::path> folders;  // with everything below them but hidden names

  friend bool operator==(const WatchedPaths&, const WatchedPaths&) = default;
};

// Size and time of a file; they change with its content. All zero: there is no such file.
struct Stamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  friend bool operator==(const Stamp&, const Stamp&) = default;
};

// By path, links followed. Files that are named but missing are in it too.
using Stamps = std::map<std::string, Stamp>;

Stamps look(const WatchedPaths& paths);

}  // namespace mock_server::program
