#pragma once

// Findings of a recorded run, chosen by fingerprint or case. Pure functions of a run value.

#include "spec/result.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace contract_tests::report {

// One finding in its case; both are parts of the run value.
struct SelectedFinding {
  const nlohmann::json* item = nullptr;
  const nlohmann::json* finding = nullptr;
};

// The findings that `which` names: of a fingerprint in every case that has it, or of the case of
// that name (its errors, if it has any); "" for the errors of all cases that failed. The error says
// what is unknown, and what is near it.
spec::Result<std::vector<SelectedFinding>, std::string> select_findings(const nlohmann::json& run,
                                                                        const std::string& which);

// Names of the cases that failed or were inconclusive, those too that the report has no room for.
std::vector<std::string> unfinished_cases(const nlohmann::json& run);

// The cases that failed of which the report has no findings, because of its limit.
std::vector<std::string> unlisted_failures(const nlohmann::json& run);

// Reads what a run wrote: run.json, strictly, as run.schema.json says, of this version alone. For
// the commands over runs (compare, merge, replay), which rely on its shape afterwards.

struct SavedRun {
  std::filesystem::path file;
  nlohmann::json value;  // as `schema` says
};

// `named` is a run.json, or a folder that holds one; `schema` is run.schema.json. Throws
// spec::LoadError with one problem, its place and its remedy: no such file, cut or no JSON, not a
// run, of a newer or an older version.
SavedRun read_run(const std::filesystem::path& named, const std::filesystem::path& schema);

}  // namespace contract_tests::report
