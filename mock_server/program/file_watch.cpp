#include "mock_server/program/file_watch.hpp"

#include <algorithm>
#include <array>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace mock_server::program {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVE |
                                  IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
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

FileWatch::~FileWatch() {
  if (inotify_ >= 0) {
    close(inotify_);
  }
}

void FileWatch::watch(const WatchedPaths& paths) {
  if (inotify_ >= 0) {
    close(inotify_);
  }
  inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (inotify_ < 0) {
    return;
  }
  for (const fs::path& file : paths.files) {
    add_folder_of(file);
  }
  for (const fs::path& folder : paths.folders) {
    add_folder_of(folder);
    add(folder);
    walk(folder, [this](const fs::directory_entry& entry) {
      std::error_code error;
      if (entry.is_directory(error)) {
        add(entry.path());
      }
    });
  }
}

// Editors write a new file and move it to the old one's name: the folder sees that, a watch on the
// file would stay with the old one. A link is watched where it lies and where it leads.
void FileWatch::add_folder_of(const fs::path& file) const {
  std::error_code error;
  add(fs::absolute(file, error).parent_path());
  const fs::path target = fs::canonical(file, error);
  if (!error) {
    add(target.parent_path());
  }
}

// A folder that is watched already stays so; one that cannot be is found by looking now and then.
void FileWatch::add(const fs::path& folder) const {
  inotify_add_watch(inotify_, folder.c_str(), kEvents);
}

bool FileWatch::forget_events() const {
  alignas(inotify_event) std::array<char, 4096> events{};
  bool any = false;
  while (::read(inotify_, events.data(), events.size()) > 0) {
    any = true;
  }
  return any;
}

void FileWatch::settle(std::chrono::milliseconds quiet, std::chrono::milliseconds patience) const {
  const auto end = std::chrono::steady_clock::now() + patience;
  forget_events();
  pollfd waiting{inotify_, POLLIN, 0};
  while (std::chrono::steady_clock::now() < end &&
         ::poll(&waiting, 1, static_cast<int>(quiet.count())) > 0) {
    forget_events();
  }
}

}  // namespace mock_server::program
