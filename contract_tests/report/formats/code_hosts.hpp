#pragma once

// Short forms of a run for code hosts: annotations, code quality, outputs for scripts; and the list
// of findings that they share with SARIF: each fingerprint once, with its line in the contract.
// Pure functions of the run value (run_value.hpp).

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace contract_tests::report::formats {

// A finding of the run value, in the first case that has it.
struct DistinctFinding {
  const nlohmann::json* finding = nullptr;
  const nlohmann::json* item = nullptr;  // that case
  std::size_t cases = 0;                 // that have it
};

// Errors first, then warnings, then notes; known ones last within each; else in the plan's order.
// `run` must outlive the result.
std::vector<DistinctFinding> distinct_findings(const nlohmann::json& run);

// A place in the repository, with "/" between folders and no encoding; line and column from 1.
struct Location {
  std::string path;
  std::size_t line = 1;
  std::size_t column = 1;
};

// The place in the contract that `value`, a finding or a cause, is about; else the beginning of the
// contract.
Location location_of(const nlohmann::json& run, const nlohmann::json& value);

// "806:17 /components/schemas/Customer/required", for texts at a line that many statements share;
// "" if nothing is known.
std::string statement_of(const nlohmann::json& value);

// "GET /customers: query page_size=101: must be rejected (4xx), but is 200".
std::string sentence_of(const DistinctFinding& found);

// True if the baseline knows this finding or cause.
bool baseline_knows(const nlohmann::json& value);

// Limits that code hosts have in common.
inline constexpr std::size_t kMaxListed = 5'000;         // findings in a file
inline constexpr std::size_t kMaxListBytes = 9'000'000;  // of a file
inline constexpr std::size_t kMaxDescription = 1'000;    // characters of a text

// "1 finding more than this file holds ...": for findings that are left out of a file, and for
// cases that the run value leaves out. "" if nothing is.
std::string left_out_sentence(const nlohmann::json& run, std::size_t findings);

// One command a line: errors and warnings, each fingerprint once, at the line of the contract,
// without known ones; what happened to the whole run and why cases are inconclusive as notices, as
// an error where the run could not start. At most nine, the worst first; a tenth says how many
// there are besides, because GitHub drops what is beyond ten.
std::string github_annotations(const nlohmann::json& run);

// `run` is a run value (run_value.hpp). At most 5,000 entries and 9 MB, the worst first; the last
// entry says how many are left out. Known findings are "info".
std::string gitlab_code_quality(const nlohmann::json& run);

// verdict, exit_code; new, known, fixed and expired: findings that are errors, by fingerprint
// (without a baseline all are new); coverage in percent.
std::string outputs(const nlohmann::json& run);

}  // namespace contract_tests::report::formats
