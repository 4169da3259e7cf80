#pragma once

// The result of running the curl line of a finding in a shell. For tests of the suite alone.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/client.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/run_settings.hpp"

#include <string>

namespace contract_tests::faulty_server {

// Runs the curl line of a finding of this plan against the server of `settings`. Returns what
// differs: the status, or the violation where the response is another one; "" for nothing.
std::string difference_by_curl(const run::Settings& settings, const run::Plan& plan,
                               const checks::Finding& finding);

}  // namespace contract_tests::faulty_server
