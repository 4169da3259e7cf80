#pragma once

// A run as JUnit XML, as CI systems read it: a suite an operation, a test case a case. Broken cases
// are failures with their whole text; what was not run or is inconclusive is skipped, with why.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report {

// `run` is a run value (run_value.hpp).
std::string junit(const nlohmann::json& run);

}  // namespace contract_tests::report
