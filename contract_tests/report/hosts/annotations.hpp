#pragma once

// A run as GitHub's workflow commands, which annotate lines of a pull request. Source: GitHub,
// "Workflow commands for GitHub Actions". A function of the run value (run_value.hpp).

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report::hosts {

// One command a line: errors and warnings, each fingerprint once, at the line of the contract,
// without known ones; what happened to the whole run and why cases are inconclusive as notices, as
// an error where the run could not start. At most nine, the worst first; a tenth says how many
// there are besides, because GitHub drops what is beyond ten.
std::string github_annotations(const nlohmann::json& run);

}  // namespace contract_tests::report::hosts
