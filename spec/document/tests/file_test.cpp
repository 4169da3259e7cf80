#include "spec/document/text_file.hpp"
#include "spec/tests/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>

namespace spec::document {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A full disk, for files that are longer than this.
class MaxFileSize {
 public:
  explicit MaxFileSize(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }

  ~MaxFileSize() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

  MaxFileSize(const MaxFileSize&) = delete;
  MaxFileSize& operator=(const MaxFileSize&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

TEST(ReplaceFile, replaces_a_file_whole) {
  const test_support::Folder folder;
  const auto file = folder.write("a.txt", "a longer text that was there before");

  EXPECT_EQ(replace_file(file, "new", 0600), "");

  EXPECT_EQ(test_support::read_file(file), "new");
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_THAT(paths_in(folder.path()), ElementsAre(file));
}

TEST(ReplaceFile, leaves_the_file_and_nothing_else_when_it_cannot_write) {
  const test_support::Folder folder;
  const auto file = folder.write("a.txt", "before");
  const MaxFileSize limit(1000);

  EXPECT_THAT(replace_file(file, std::string(2000, 'x')), HasSubstr("too large"));

  EXPECT_EQ(test_support::read_file(file), "before");
  EXPECT_THAT(paths_in(folder.path()), ElementsAre(file));
}

TEST(ReplaceFile, leaves_nothing_when_a_folder_has_the_name) {
  const test_support::Folder folder;
  const auto file = folder.path() / "a.txt";
  std::filesystem::create_directories(file);

  EXPECT_THAT(replace_file(file, "new"), HasSubstr("directory"));

  EXPECT_THAT(paths_in(folder.path()), ElementsAre(file));
}

TEST(ReplaceFile, says_why_it_cannot_write) {
  const test_support::Folder folder;

  EXPECT_EQ(replace_file(folder.path() / "none" / "a.txt", "new"), "No such file or directory");

  EXPECT_THAT(paths_in(folder.path()), IsEmpty());
}

}  // namespace
}  // namespace spec::document
