#pragma once

// A run as SARIF 2.1.0, the part that code scanning reads: a result for each fingerprint at the
// line of the contract that is violated, the rules with help, known findings as suppressed. What
// happened to the whole run is a notification of the tool.
// Source: OASIS SARIF 2.1.0; GitHub, "SARIF support for code scanning".

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report::formats {

// `run` is a run value (run_value.hpp). At most 5,000 results and 9 MB, the worst first; says how
// many are left out.
std::string sarif(const nlohmann::json& run);

}  // namespace contract_tests::report::formats
