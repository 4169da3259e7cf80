#pragma once

// Checks the set-up before the first case: with a token that is rejected, or a subject that does
// not exist, the cases would say nothing about the server.

#include "contract_tests/program/setup/session.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace contract_tests::program::setup {

struct PreflightBounds {
  std::chrono::steady_clock::time_point latest = std::chrono::steady_clock::time_point::max();
  bool token_alone = false;  // do not check subjects
  // Waits for the turn of each request; false when no more may go out.
  std::function<bool()> admit = [] { return true; };
};

// One line for a problem with the token, or with each subject, and how to solve it. Sends one plain
// request for each subject that the `selected` cases use (a request that may write only with
// consent). Stops when the server does not respond.
std::vector<std::string> setup_problems(const run::Settings& settings, const Documents& documents,
                                        const std::vector<std::size_t>& selected,
                                        const PreflightBounds& bounds);

}  // namespace contract_tests::program::setup
