#include "contract_tests/program/setup/assets.hpp"

#include "spec/load_error.hpp"

#include <cstdlib>
#include <vector>

namespace contract_tests::program::setup {

namespace fs = std::filesystem;

namespace {

constexpr const char* kContract = "spec/payments.openapi.yaml";

fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

fs::path find_data_root() {
  const auto folder = own_folder();
  std::vector<fs::path> candidates{folder.parent_path() / "share/counterpart"};
  for (auto above = folder; above.has_relative_path(); above = above.parent_path()) {
    candidates.push_back(above);
  }
  for (const auto& candidate : candidates) {
    if (is_there(candidate / kContract)) {
      return candidate;
    }
  }
  throw spec::LoadError(
      kContract, "cannot find this file in share/counterpart beside bin, nor in the source tree");
}

std::optional<fs::path> find_mock_server() {
  const char* named = std::getenv("COUNTERPART_MOCK_SERVER");
  if (named != nullptr && *named != '\0') {
    return fs::path(named);
  }
  const auto folder = own_folder();
  for (const auto& candidate :
       {folder / "mock_server", folder.parent_path() / "mock_server/mock_server"}) {
    if (is_there(candidate) && !fs::is_directory(candidate)) {
      return candidate;
    }
  }
  return std::nullopt;
}

}  // namespace contract_tests::program::setup
