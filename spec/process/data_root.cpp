#include "spec/process/data_root.hpp"

#include <system_error>

namespace spec::process {

namespace fs = std::filesystem;

namespace {

bool is_data_root(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "spec" / "payments.openapi.yaml", error);
}

}  // namespace

fs::path executable_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

std::optional<fs::path> find_data_root(const fs::path& executable) {
  const fs::path folder = executable.parent_path();
  const fs::path installed = folder.parent_path() / "share" / "counterpart";
  if (is_data_root(installed)) {
    return installed;
  }
  for (fs::path above = folder; above.has_relative_path(); above = above.parent_path()) {
    if (is_data_root(above)) {
      return above;
    }
  }
  return std::nullopt;
}

}  // namespace spec::process
