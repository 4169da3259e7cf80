#pragma once

// A look at the server before the first case: a token that is rejected, or a subject that it does
// not have, says that the run was set up wrongly, and the cases about it would say nothing about
// the server.

#include "contract_tests/program/session.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace contract_tests::program {

struct PreflightBounds {
  std::chrono::steady_clock::time_point latest = std::chrono::steady_clock::time_point::max();
  bool token_alone = false;  // what the server holds is for the cases to find
  // Waits for the turn of each request; false when no more may go out.
  std::function<bool()> admit = [] { return true; };
};

// One line for what is wrong with the token, or with each subject, with what to do: whatever the
// `selected` cases ask about, each once, as plainly as can be (what may write, only with consent).
// Looks no further when the server does not answer.
std::vector<std::string> wrong_set_up(const run::Settings& settings, const Documents& documents,
                                      const std::vector<std::size_t>& selected,
                                      const PreflightBounds& bounds);

}  // namespace contract_tests::program
