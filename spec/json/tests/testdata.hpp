#pragma once

// Finds the public test texts: in the folder that COUNTERPART_TESTDATA names, else in
// ../shared/testdata beside the source tree. Tests that need them are skipped with a message if
// they are missing.

#include "spec/tests/paths.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace spec::json::testing_data {

inline std::filesystem::path testdata_root() {
  const char* named = std::getenv("COUNTERPART_TESTDATA");
  return named != nullptr ? std::filesystem::path(named)
                          : std::filesystem::path(test_paths::source()) / "../shared/testdata";
}

// The folder `name` of the test texts; none if it is missing.
inline std::optional<std::filesystem::path> testdata(const std::string& name) {
  const std::filesystem::path folder = testdata_root() / name;
  std::error_code error;
  return std::filesystem::is_directory(folder, error) ? std::optional(folder) : std::nullopt;
}

}  // namespace spec::json::testing_data
