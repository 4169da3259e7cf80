#include "spec/process/child.hpp"

#include "spec/tests/folder.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace spec::process {
namespace {

constexpr std::chrono::seconds kPatience{20};

TEST(Child, ends_with_the_exit_code_of_its_program) {
  auto child = Child::start({.words = {"sh", "-c", "exit 7"}});

  ASSERT_TRUE(child);
  EXPECT_EQ(child->end(kPatience), 7);
  EXPECT_EQ(child->id(), -1);
  EXPECT_EQ(child->ending_signal(), 0);
  EXPECT_EQ(child->end(), std::nullopt);
}

TEST(Child, that_a_signal_ended_has_a_code_as_in_a_shell) {
  auto child = Child::start({.words = {"sleep", "600"}});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->end(), std::nullopt);

  child->signal(SIGTERM);

  EXPECT_EQ(child->end(kPatience), 128 + SIGTERM);
  EXPECT_EQ(child->ending_signal(), SIGTERM);
}

TEST(Child, says_why_it_did_not_start) {
  const auto missing = Child::start({.words = {"/no/such/program"}});
  const auto folder = Child::start({.words = {"/"}});

  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().exit_code, kNotFound);
  EXPECT_EQ(missing.error().message, "/no/such/program: command not found");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().exit_code, kNotRunnable);
  EXPECT_EQ(folder.error().message, "/: Permission denied");
}

TEST(Child, says_which_folder_it_cannot_enter) {
  const auto child = Child::start({.words = {"sh", "-c", "exit 0"}, .folder = "/no/such/folder"});

  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().exit_code, kNotRunnable);
  EXPECT_EQ(child.error().message,
            "sh: cannot start in the folder /no/such/folder: No such file or directory");
}

TEST(Child, has_the_streams_the_folder_and_the_environment_that_it_is_given) {
  const test_support::Folder folder;
  const auto file = folder.write("out", "");
  const int out = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  setenv("CHILD_TEST_GONE", "x", 1);

  auto child = Child::start({.words = {"sh", "-c", "pwd; echo $A ${CHILD_TEST_GONE-unset}"},
                             .environment = {{"A", "b"}, {"CHILD_TEST_GONE", std::nullopt}},
                             .output = out,
                             .folder = folder.path()});
  close(out);

  ASSERT_TRUE(child);
  EXPECT_EQ(child->end(kPatience), 0);
  EXPECT_EQ(test_support::read_file(file), folder.path().string() + "\nb unset\n");
}

TEST(Child, is_killed_with_its_object) {
  pid_t id = -1;
  {
    auto child = Child::start({.words = {"sleep", "600"}});
    ASSERT_TRUE(child);
    id = child->id();
  }

  EXPECT_EQ(kill(id, 0), -1);
}

}  // namespace
}  // namespace spec::process
