// The file of all flags that is shipped is the one that the program prints; the pages for users
// name every report.

#include "contract_tests/report/formats/report_files.hpp"
#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/suite_tests.hpp"

#include <gmock/gmock.h>

namespace contract_tests {
namespace {

TEST(PrintConfig, is_the_file_that_is_shipped) {
  const auto example = support::source_dir() / "contract_tests/contract_tests.example.toml";

  const auto ended = support::run_child(test_paths::contract_tests(), {"--print-config"});

  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out, test_support::read_file(example))
      << "write it again: contract_tests --print-config >" << example;
}

// A format is a row of one table: this page is not made of it.
TEST(ReportFiles, are_named_by_the_page_for_users) {
  const auto text = test_support::read_file(support::source_dir() / "contract_tests/README.md");

  for (const auto& file : report::formats::report_files()) {
    EXPECT_THAT(text, testing::HasSubstr('`' + std::string(file.name) + '`'));
  }
}

}  // namespace
}  // namespace contract_tests
