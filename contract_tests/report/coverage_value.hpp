#pragma once

// The coverage of a run as the run value has it (run.schema.json, coverage).

#include "spec/contract/checking/coverage.hpp"

#include <nlohmann/json_fwd.hpp>

namespace contract_tests::report {

// `with_values`: the values of enumerations too, so that the coverage of shards can be joined.
nlohmann::json coverage_json(const spec::contract::CoverageReport& coverage, bool with_values);

// Without the values of enumerations, their number is right.
spec::contract::CoverageReport coverage_from(const nlohmann::json& value);

}  // namespace contract_tests::report
