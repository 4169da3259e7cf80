#pragma once

// A run as Markdown for the summary of a CI job: verdict, findings by cause with their curl lines,
// known ones, what is inconclusive or was skipped, coverage by operation. A function of the run
// value (run_value.hpp).

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace contract_tests::report::formats {

// GitHub drops a summary of more than 1 MiB as a whole.
inline constexpr std::size_t kMaxJobSummaryBytes = 900'000;

// At most kMaxJobSummaryBytes; says how many causes are left out.
std::string job_summary(const nlohmann::json& run);

}  // namespace contract_tests::report::formats
