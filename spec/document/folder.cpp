#include "spec/document/folder.hpp"

#include <algorithm>
#include <dirent.h>
#include <memory>
#include <string_view>

namespace spec::document {

namespace fs = std::filesystem;

namespace {

struct Close {
  void operator()(DIR* stream) const { closedir(stream); }
};

}  // namespace

std::vector<fs::path> paths_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  const std::unique_ptr<DIR, Close> stream(opendir(folder.c_str()));
  if (stream == nullptr) {
    return paths;
  }
  while (const dirent* const entry = readdir(stream.get())) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") {
      paths.push_back(folder / name);
    }
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace spec::document
