#pragma once

// The result of a run with a baseline, as the run value has it (run.schema.json, baseline), and in
// words.

#include "contract_tests/findings/baseline.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace contract_tests::report {

nlohmann::json to_json(const findings::BaselineResult& result);

// Reads the result; the names of an entry's cases are empty, but their number is right.
findings::BaselineResult baseline_from(const nlohmann::json& value);

// These take the run value; without a baseline, they are empty.

// ", with 3 known findings (1 expires in 9 days)".
std::string with_known(const nlohmann::json& run);
// A line for each entry that somebody must look at, the worst first, then for what was written.
std::vector<std::string> baseline_lines(const nlohmann::json& run);
// Its entries by id.
std::map<std::string, const nlohmann::json*> entries_by_id(const nlohmann::json& run);
// "known until 2026-12-01: fixed in release 34 (billing, PAY-812)" of each entry, by its id.
std::map<std::string, std::string> known_until(const nlohmann::json& run);

}  // namespace contract_tests::report
