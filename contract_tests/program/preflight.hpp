#pragma once

// Checks the set-up before the first case: with a token that is rejected, or a subject that does
// not exist, the cases would say nothing about the server. And the values for --print-subjects that
// the service has, read from its lists with GET alone.

#include "contract_tests/program/run_setup.hpp"
#include "contract_tests/run/pace.hpp"
#include "contract_tests/run/run_settings.hpp"

#include <cstddef>
#include <map>
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

// Values by "OPERATION.PARAMETER" of what the plan made up. A list is an operation with GET whose
// response holds objects, and whose required parameters, if any, are the parents in its path, which
// other lists show. Of its first object, a member fits that has the parameter's name and type, or
// is the `id` where the list's path is that before the parameter. Sends no more than --rate,
// --max-requests and --deadline allow.
std::map<std::string, std::string> find_subjects(const run::Settings& settings,
                                                 const Documents& documents);

}  // namespace contract_tests::program
