// The file of all flags that is shipped is the one that the program prints.

#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"

#include <gtest/gtest.h>

namespace contract_tests {
namespace {

TEST(PrintConfig, is_the_file_that_is_shipped) {
  const auto example = support::source_dir() / "contract_tests/contract_tests.example.toml";

  const auto ended = support::run_child(test_paths::contract_tests(), {"--print-config"});

  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out, test_support::read_file(example))
      << "write it again: contract_tests --print-config >" << example;
}

}  // namespace
}  // namespace contract_tests
