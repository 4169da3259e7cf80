#pragma once

// Says when files on disk have changed, for --watch. Two halves: look() tells what the files are
// like, FileWatch wakes whoever waits when something happened near them. A change is a difference
// between two looks, so noise in the same folder (swap files of editors, logs) is none.

#include <chrono>
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

// What tells one content of a file from the next. All zero: there is no such file.
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

// Not thread-safe.
class FileWatch {
 public:
  FileWatch() = default;
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // From now on these, and no others. Where the system gives no watches, descriptor() stays -1 and
  // the caller must look now and then.
  void watch(const WatchedPaths& paths);

  // Readable when something happened near the watched paths.
  int descriptor() const { return inotify_; }

  // Forgets what happened so far, then returns when nothing has happened for `quiet`, or after
  // `patience` all the same.
  void settle(std::chrono::milliseconds quiet, std::chrono::milliseconds patience) const;

 private:
  void add_folder_of(const std::filesystem::path& file) const;
  void add(const std::filesystem::path& folder) const;
  bool forget_events() const;

  int inotify_ = -1;
};

}  // namespace mock_server::program
