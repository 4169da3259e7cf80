// Our reading of YAML block scalars against a reader that is not ours, over every header, content
// and surrounding: a table that scripts/lint/block_scalars.mjs writes.

#include "spec/document/tests/loading.hpp"
#include "spec/tests/paths.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>

namespace spec::document {
namespace {

// COUNTERPART_BLOCK_SCALARS names a longer table.
std::filesystem::path table_file() {
  const char* const other = std::getenv("COUNTERPART_BLOCK_SCALARS");
  return other != nullptr ? other
                          : std::filesystem::path(test_paths::source()) /
                                "spec/document/tests/block_scalars.json";
}

std::string read(const std::string& text) {
  const auto found = problems(text);
  return found.empty() ? loaded(text) : found.front();
}

TEST(BlockScalars, read_as_an_independent_reader_reads_them) {
  Library library;
  const nlohmann::json table = library.open(table_file()).value();
  std::string different;
  for (const nlohmann::json& row : table) {
    const std::string text = row[0].get<std::string>();
    const std::string expected = json::write(row[1]);
    const std::string actual = read(text);
    if (actual != expected) {
      different += json::write(row[0]) + " is " + expected + " and not " + actual + '\n';
    }
  }

  EXPECT_GT(table.size(), 1000U);
  EXPECT_EQ(different, "");
}

}  // namespace
}  // namespace spec::document
