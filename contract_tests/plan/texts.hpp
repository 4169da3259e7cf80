#pragma once

// Texts from data files: hostile texts that must not cause a server error, and patterns of server
// internals. Loaded once, then const.

#include "contract_tests/checks/leaks.hpp"
#include "contract_tests/plan/data_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace contract_tests::plan {

struct HostileText {
  std::string what;  // "a byte that is never in UTF-8"
  std::string text;
  bool encoded = false;   // `text` goes out as it is
  bool in_query = false;  // as a value of parameters, too; in paths always
};

// Both throw spec::LoadError with every problem and its place.
std::vector<HostileText> load_hostile_texts(DataFiles& files, const std::filesystem::path& file);
checks::LeakMarks load_leak_marks(DataFiles& files, const std::filesystem::path& file);

}  // namespace contract_tests::plan
