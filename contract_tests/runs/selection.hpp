#pragma once

// Findings of a recorded run, chosen by fingerprint or case. Pure functions of a run value.

#include "spec/result.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace contract_tests::runs {

// One finding in its case; both are parts of the run value.
struct Selected {
  const nlohmann::json* item = nullptr;
  const nlohmann::json* finding = nullptr;
};

// The findings that `which` names: of a fingerprint in every case that has it, or of the case of
// that name (its errors, if it has any); "" for the errors of all cases that failed. The error says
// what is unknown, and what is near it.
spec::Result<std::vector<Selected>, std::string> select_findings(const nlohmann::json& run,
                                                                 const std::string& which);

// Names of the cases that failed or were inconclusive, those too that the report has no room for.
std::vector<std::string> unfinished_cases(const nlohmann::json& run);

// The cases that failed of which the report has no findings, because of its limit.
std::vector<std::string> unlisted_failures(const nlohmann::json& run);

}  // namespace contract_tests::runs
