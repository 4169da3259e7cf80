#include "contract_tests/program/setup/assets.hpp"

#include "spec/load_error.hpp"
#include "spec/process/data_root.hpp"

#include <cstdlib>
#include <system_error>
#include <utility>

namespace contract_tests::program::setup {

namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

fs::path find_data_root() {
  auto root = spec::process::find_data_root(spec::process::executable_path());
  if (!root) {
    throw spec::LoadError(
        "spec/payments.openapi.yaml",
        "cannot find this file in share/counterpart beside bin, nor in the source tree");
  }
  return std::move(*root);
}

std::optional<fs::path> find_mock_server() {
  const char* named = std::getenv("COUNTERPART_MOCK_SERVER");
  if (named != nullptr && *named != '\0') {
    return fs::path(named);
  }
  const auto folder = spec::process::executable_path().parent_path();
  for (const auto& candidate :
       {folder / "mock_server", folder.parent_path() / "mock_server/mock_server"}) {
    if (is_there(candidate) && !fs::is_directory(candidate)) {
      return candidate;
    }
  }
  return std::nullopt;
}

}  // namespace contract_tests::program::setup
