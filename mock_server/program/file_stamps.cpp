#include "mock_server/program/file_stamps.hpp"

#include "spec/document/folder.hpp"

#include <sys/stat.h>
#include <system_error>

namespace mock_server::program {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kNanoseconds = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kNanoseconds + time.tv_nsec;
}

Stamp stamp_of(const fs::path& path) {
  struct stat found {};

  if (::stat(path.c_str(), &found) != 0) {
    return {};
  }
  return {found.st_dev, found.st_ino, found.st_size, nanoseconds(found.st_mtim),
          nanoseconds(found.st_ctim)};
}

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

// Notes each file below `folder`, hidden ones not among them.
void stamp_files(const fs::path& folder, Stamps& stamps, int depth = 0) {
  constexpr int kDeepest = 32;  // a link may lead back up
  for (const fs::path& path : spec::document::paths_in(folder)) {
    std::error_code error;
    if (is_hidden(path)) {
      continue;
    }
    if (!fs::is_directory(path, error)) {
      stamps[path.string()] = stamp_of(path);
    } else if (depth < kDeepest) {
      stamp_files(path, stamps, depth + 1);
    }
  }
}

}  // namespace

Stamps look(const WatchedPaths& paths) {
  Stamps stamps;
  for (const fs::path& file : paths.files) {
    stamps[file.string()] = stamp_of(file);
  }
  for (const fs::path& folder : paths.folders) {
    stamp_files(folder, stamps);
  }
  return stamps;
}

}  // namespace mock_server::program
