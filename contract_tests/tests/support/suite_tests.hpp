#pragma once

// What the tests of whole runs share: folders of data files, one GoogleTest test for each file.

#include "contract_tests/plan/data_file.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/json/read.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace contract_tests {

void register_hostile_tests(plan::DataFiles& files);
void register_failure_tests(plan::DataFiles& files);
void register_command_line_tests(plan::DataFiles& files);

namespace support {

inline std::filesystem::path source_dir() {
  return test_paths::source();
}

// What a run wrote into `folder`; without it the test fails with these words.
inline nlohmann::json read_report(const std::filesystem::path& folder) {
  auto value = spec::json::read(test_support::read_file(folder / "run.json"));
  if (!value) {
    throw std::runtime_error((folder / "run.json").string() + " is not there or no JSON");
  }
  return std::move(value.value());
}

// Calls `add` for each file of contract_tests/tests/FOLDER, in the order of names.
inline void register_folder(plan::DataFiles& files, const std::string& folder,
                            const std::string& schema,
                            const std::function<void(const std::string&, nlohmann::json)>& add) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() / "contract_tests/tests" / folder)) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    add(run::slug(path.stem().string()), files.read(path, schema).value());
  }
}

}  // namespace support
}  // namespace contract_tests
