#pragma once

// A run as GitLab's code quality report: an entry for each fingerprint at the line of the contract
// that is violated. Source: GitLab, "Code Quality", custom tools.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report::hosts {

// `run` is a run value (run_value.hpp). At most 5,000 entries and 9 MB, the worst first; the last
// entry says how many are left out. Known findings are "info".
std::string gitlab_code_quality(const nlohmann::json& run);

}  // namespace contract_tests::report::hosts
