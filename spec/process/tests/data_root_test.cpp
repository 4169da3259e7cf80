#include "spec/process/data_root.hpp"

#include "spec/tests/folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace spec::process {
namespace {

constexpr const char* kShipped = "spec/payments.openapi.yaml";

TEST(DataRoot, is_the_share_of_an_installation) {
  const test_support::Folder folder;
  folder.write("share/counterpart/spec/payments.openapi.yaml", "");
  folder.write(kShipped, "");

  EXPECT_EQ(find_data_root(folder.path() / "bin/program"), folder.path() / "share/counterpart");
}

TEST(DataRoot, is_the_nearest_folder_above_that_has_the_contract) {
  const test_support::Folder folder;
  folder.write(kShipped, "");
  std::filesystem::create_directories(folder.path() / "build" / kShipped);

  EXPECT_EQ(find_data_root(folder.path() / "build/release/program"), folder.path());
}

TEST(DataRoot, is_missing_where_no_folder_above_has_the_contract) {
  const test_support::Folder folder;

  EXPECT_EQ(find_data_root(folder.path() / "bin/program"), std::nullopt);
}

}  // namespace
}  // namespace spec::process
