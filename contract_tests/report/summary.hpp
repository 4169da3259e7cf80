#pragma once

// The end of a run for people at a console: findings by fingerprint, what stays not covered and
// why, counts, and the exit code in words. A function of the run's value (run_value.hpp).

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report {

std::string summary(const nlohmann::json& run);

}  // namespace contract_tests::report
