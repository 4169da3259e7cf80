#pragma once

// A description of the corpus damaged in one place, in each way that published descriptions are.
// For tests.

#include "spec/document/library.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace spec::contract {

struct DamagedDescription {
  std::string what;  // and where
  std::string text;
  std::size_t path_count = 0;
};

std::vector<DamagedDescription> damaged_texts(const std::filesystem::path& file);

}  // namespace spec::contract
