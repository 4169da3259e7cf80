#pragma once

// The descriptions in spec/contract/corpus, one by one, for tests of everything that serves or
// validates by any description.

#include "spec/contract/contract.hpp"
#include "spec/tests/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace spec::contract {

struct Description {
  std::filesystem::path file;

  friend void PrintTo(const Description& description, std::ostream* out) {
    *out << description.file.filename().string();
  }
};

inline std::vector<Description> corpus() {
  std::vector<Description> all;
  const std::filesystem::path folder =
      std::filesystem::path(test_paths::source()) / "spec/contract/corpus";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".yaml" && !name.starts_with("part-")) {
      all.push_back({entry.path()});
    }
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return all;
}

inline std::string name_of(const testing::TestParamInfo<Description>& info) {
  return info.param.file.stem().string();
}

}  // namespace spec::contract
