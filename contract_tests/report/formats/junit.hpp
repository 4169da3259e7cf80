#pragma once

// A run as JUnit XML, as CI systems read it: one suite for each operation, one test for each case
// by its name. One failed test for each cause, with the finding in `message`; other cases that met
// the cause are skipped and name the failed one. Inconclusive cases are skipped with the reason,
// and skipped ones are counted by reason. What happened to the whole run is an error.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report::formats {

// `run` is a run value (run_value.hpp).
std::string junit(const nlohmann::json& run);

}  // namespace contract_tests::report::formats
