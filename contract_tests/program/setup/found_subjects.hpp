#pragma once

// Values for --print-subjects that the service has: read from its lists, with GET alone.

#include "contract_tests/program/setup/session.hpp"
#include "contract_tests/run/settings.hpp"

#include <map>
#include <string>

namespace contract_tests::program::setup {

// Values by "OPERATION.PARAMETER" of what the plan made up. A list is an operation with GET whose
// response holds objects, and whose required parameters, if any, are the parents in its path, which
// other lists show. Of its first object, a member fits that has the parameter's name and type, or
// is the `id` where the list's path is that before the parameter. Sends no more than --rate,
// --max-requests and --deadline allow.
std::map<std::string, std::string> find_subjects(const run::Settings& settings,
                                                 const Documents& documents);

}  // namespace contract_tests::program::setup
