#include "spec/process/data_root.hpp"

#include <cerrno>
#include <cstdlib>
#include <iconv.h>
#include <nss.h>
#include <system_error>

namespace spec::process {

namespace fs = std::filesystem;

namespace {

bool is_data_root(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "spec" / "payments.openapi.yaml", error);
}

fs::path kernel_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

// True if the loader was started as a program: it is the one that the kernel knows then.
bool is_in_archive() {
  return kernel_path().filename().string().starts_with("ld-linux");
}

}  // namespace

fs::path executable_path() {
  return is_in_archive() ? fs::path(program_invocation_name) : kernel_path();
}

void use_own_libraries() {
  if (!is_in_archive()) {
    return;
  }
  __nss_configure_lookup("hosts", "files dns");
  // glibc reads the variable at the first conversion; what the program starts must not see it.
  ::setenv("GCONV_PATH", (kernel_path().parent_path() / "gconv").c_str(), 1);
  const iconv_t first = ::iconv_open("UTF-8", "UTF-16LE");
  if (first != reinterpret_cast<iconv_t>(-1)) {
    ::iconv_close(first);
  }
  ::unsetenv("GCONV_PATH");
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
