#include "spec/document/text_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace spec::document {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::IsEmpty;

class Folder : public testing::Test {
 protected:
  Folder() { fs::create_directories(path_ / "b"); }

  ~Folder() override { fs::remove_all(path_); }

  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path path_ = fs::temp_directory_path() / ("folder_test_" + std::to_string(getpid()));
};

TEST_F(Folder, has_its_files_and_folders_sorted) {
  std::ofstream(path_ / "c.yaml") << "c";
  std::ofstream(path_ / ".a") << "a";

  EXPECT_THAT(paths_in(path_), ElementsAre(path_ / ".a", path_ / "b", path_ / "c.yaml"));
}

TEST_F(Folder, that_does_not_exist_has_nothing) {
  EXPECT_THAT(paths_in(path_ / "none"), IsEmpty());
}

}  // namespace
}  // namespace spec::document
