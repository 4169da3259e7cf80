#pragma once

// The end of a run for people at a console: what happened to the run, findings by cause, what was
// not covered and why, counts, and the exit code in words. A run that passed fits a screen. A
// function of the run value (run_value.hpp).

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace contract_tests::report::formats {

std::string summary(const nlohmann::json& run);

// The title and at most `max` of the lines; where some are left out, how many, and that `all` has
// them. "" without lines.
std::string paragraph(const std::string& title, const std::vector<std::string>& lines,
                      std::size_t max, const std::string& all);

// The part of it about changes: those that could not be undone, or how many records were changed.
// "" if nothing was changed.
std::string writes_text(const nlohmann::json& run);

}  // namespace contract_tests::report::formats
