#pragma once

// A run as one HTML page that needs nothing else: no network, no other file. It carries the run
// value and draws itself from it (page/*.js); a browser without scripts shows the summary.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report {

// `run` is a run value (run_value.hpp).
std::string page(const nlohmann::json& run);

}  // namespace contract_tests::report
