#pragma once

// A run as JUnit XML, as CI systems read it: one suite for each operation, one
// test case for each case. Failed cases have their whole text; inconclusive cases are reported as
// skipped, with the reason.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report {

// `run` is a run value (run_value.hpp).
std::string junit(const nlohmann::json& run);

}  // namespace contract_tests::report
