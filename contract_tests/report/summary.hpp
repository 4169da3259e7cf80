#pragma once

// The end of a run for people at a console: what happened to the run, findings by cause, what was
// not covered and why, counts, and the exit code in words. A run that passed fits a screen. A
// function of the run value (run_value.hpp).

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace contract_tests::report {

std::string summary(const nlohmann::json& run);

// The part of it about changes: those that could not be undone, or how many records were changed.
// "" where nothing was changed.
std::string writes_text(const nlohmann::json& run);

}  // namespace contract_tests::report
