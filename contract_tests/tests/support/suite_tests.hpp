#pragma once

// Shared functions of the tests of whole runs: folders of tables, one GoogleTest test for each row.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
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

// The report of a run in `folder`; without it the test fails with these words.
inline nlohmann::json read_report(const std::filesystem::path& folder) {
  auto value = spec::json::read(test_support::read_file(folder / "run.json"));
  if (!value) {
    throw std::runtime_error((folder / "run.json").string() + " is not there or no JSON");
  }
  return std::move(value.value());
}

// Calls `add` for each row of each file of contract_tests/tests/FOLDER, whose schema has the same
// name, in the order of file names. Throws spec::LoadError if two rows have one name.
inline void register_folder(plan::DataFiles& files, const std::string& folder,
                            const std::function<void(const std::string&, nlohmann::json)>& add) {
  std::set<std::string> names;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() / "contract_tests/tests" / folder)) {
    paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    for (const auto& row : files.read(path, folder).elements()) {
      const auto name = run::slug(row.value().at("name").get<std::string>());
      if (!names.insert(name).second) {
        throw spec::LoadError({.file = path.string(),
                               .line = row.place().line,
                               .message = "another row has the name " + name});
      }
      add(name, row.value());
    }
  }
}

}  // namespace support
}  // namespace contract_tests
