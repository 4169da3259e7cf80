#pragma once

// A look at the subjects before the first case: a 404 for one of them says that the subjects file
// is wrong, and every case about it would say nothing about the server.

#include "contract_tests/program/session.hpp"

#include <string>
#include <vector>

namespace contract_tests::program {

// One line for each subject that the server does not know, with what to do. Asks each operation
// that has a subject in its path once, as plainly as can be; one that may write only with consent.
std::vector<std::string> missing_subjects(const run::Settings& settings,
                                          const Documents& documents);

}  // namespace contract_tests::program
