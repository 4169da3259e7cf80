#include "mock_server/program/file_stamps.hpp"

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

// Calls `visit` with each file and folder below `folder`, `folder` itself not among them.
template <typename Visit>
void walk(const fs::path& folder, Visit visit) {
  std::error_code error;
  const auto options = fs::directory_options::follow_directory_symlink |
                       fs::directory_options::skip_permission_denied;
  constexpr int kDeepest = 32;  // a link may lead back up
  for (auto at = fs::recursive_directory_iterator(folder, options, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (is_hidden(at->path()) || at.depth() >= kDeepest) {
      at.disable_recursion_pending();
    }
    if (!is_hidden(at->path())) {
      visit(*at);
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
    walk(folder, [&stamps](const fs::directory_entry& entry) {
      std::error_code error;
      if (!entry.is_directory(error)) {
        stamps[entry.path().string()] = stamp_of(entry.path());
      }
    });
  }
  return stamps;
}

}  // namespace mock_server::program
