#pragma once

// The results of a run for shell scripts: a line NAME=VALUE each, of values without blanks. A
// function of the run value (run_value.hpp).

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report::hosts {

// verdict, exit_code; new, known, fixed and expired: findings that are errors, by fingerprint
// (without a baseline all are new); coverage in percent.
std::string outputs(const nlohmann::json& run);

}  // namespace contract_tests::report::hosts
