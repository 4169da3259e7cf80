#pragma once

#include "spec/tests/paths.hpp"

#include <string>
#include <vector>

namespace mock_server::program {

// The command line of a mock on a free port, with these flags.
inline std::vector<std::string> mock_command(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{test_paths::mock_server(), "--port", "0"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace mock_server::program
