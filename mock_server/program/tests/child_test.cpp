#include "mock_server/program/run_command.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mock_server::program {
namespace {

struct Case {
  std::string name;
  std::vector<std::string> command;
  int code = 0;
};

using ChildCode = spec::tests::RowTest;

TEST_P(ChildCode, is_the_same_as_in_a_shell) {
  const Case& row = GetParam();

  block_child_signals();

  const ChildEnd end = run_child(row.command, {{"GREETING", "hello"}});

  EXPECT_EQ(end.code, row.code);
  EXPECT_EQ(end.problem.empty(), row.code < 126 || row.code > 127);
}

const std::vector<Case> kCommandsChildCode = {
    {"success", {"true"}, 0},
    {"failure", {"sh", "-c", "exit 7"}, 7},
    {"a_signal", {"sh", "-c", "kill -TERM $$"}, 128 + SIGTERM},
    {"not_found", {"no-such-command-anywhere"}, 127},
    {"not_runnable", {"/"}, 126},
    {"environment", {"sh", "-c", "test \"$GREETING\" = hello"}, 0},
    {"words_stay_apart", {"sh", "-c", "test \"$1\" = 'a  b'", "sh", "a  b"}, 0}};

INSTANTIATE_TEST_SUITE_P(Commands, ChildCode,
                         testing::ValuesIn(spec::tests::rows(kCommandsChildCode)),
                         spec::tests::kRowNames);

TEST(Child, gets_the_signals_of_the_mock) {
  block_child_signals();
  std::jthread sender([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(getpid(), SIGTERM);
  });

  const ChildEnd end =
      run_child({"sh", "-c", "trap 'exit 9' TERM; while :; do sleep 0.05; done"}, {});

  EXPECT_EQ(end.code, 9);
}

TEST(Child, says_which_command_was_not_found) {
  block_child_signals();

  EXPECT_EQ(run_child({"no-such-command-anywhere"}, {}).problem,
            "no-such-command-anywhere: command not found");
}

}  // namespace
}  // namespace mock_server::program
