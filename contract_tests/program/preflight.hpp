#pragma once

// Checks the set-up before the first case: with a token that is rejected, or a subject that does
// not exist, the cases would say nothing about the server.

#include "contract_tests/program/run_setup.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/run_settings.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace contract_tests::program {

// One line for a problem with the token, or with each subject, and how to solve it. Sends one plain
// request for each subject that the `selected` cases use (a request that may write only with
// consent), or one in all where it checks the `token_alone`. Stops when the server does not
// respond.
std::vector<std::string> setup_problems(const run::Settings& settings, const Documents& documents,
                                        const std::vector<std::size_t>& selected, run::Pace& pace,
                                        bool token_alone);

}  // namespace contract_tests::program
