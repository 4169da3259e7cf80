#include "mock_server/run/child.hpp"

#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <unistd.h>

namespace mock_server::run {
namespace {

struct Case {
  std::string name;
  std::vector<std::string> command;
  int code = 0;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class ChildCode : public testing::TestWithParam<Case> {};

TEST_P(ChildCode, is_the_same_as_in_a_shell) {
  block_child_signals();

  const ChildEnd end = run_child(GetParam().command, {{"GREETING", "hello"}});

  EXPECT_EQ(end.code, GetParam().code);
  EXPECT_EQ(end.problem.empty(), GetParam().code < 126 || GetParam().code > 127);
}

INSTANTIATE_TEST_SUITE_P(
    Commands, ChildCode,
    testing::Values(Case{"success", {"true"}, 0}, Case{"failure", {"sh", "-c", "exit 7"}, 7},
                    Case{"a_signal", {"sh", "-c", "kill -TERM $$"}, 128 + SIGTERM},
                    Case{"not_found", {"no-such-command-anywhere"}, 127},
                    Case{"not_runnable", {"/"}, 126},
                    Case{"environment", {"sh", "-c", "test \"$GREETING\" = hello"}, 0},
                    Case{
                        "words_stay_apart", {"sh", "-c", "test \"$1\" = 'a  b'", "sh", "a  b"}, 0}),
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
}  // namespace mock_server::run
