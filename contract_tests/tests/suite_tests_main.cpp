// Tests of the suite as a program and of its client, most of them a data file each.

#include "contract_tests/tests/support/suite_tests.hpp"

#include <gtest/gtest.h>

#include <csignal>

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // servers of tests write to clients that went away
  testing::InitGoogleTest(&argc, argv);
  contract_tests::plan::DataFiles files(contract_tests::support::source_dir() /
                                        "contract_tests/tests/schemas");
  contract_tests::register_hostile_tests(files);
  contract_tests::register_failure_tests(files);
  contract_tests::register_command_line_tests(files);
  return RUN_ALL_TESTS();
}
