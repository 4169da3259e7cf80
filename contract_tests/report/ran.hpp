#pragma once

// Every selected case of a run in one line of text: `ran` of run.json. `cases` is cut where a run
// is large and leaves skipped cases out; this is complete, so that runs can be compared and merged.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/run/outcome.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::report {

// A finding of which no more is known.
struct FindingMark {
  checks::Severity severity = checks::Severity::kError;
  std::string fingerprint;

  friend bool operator==(const FindingMark&, const FindingMark&) = default;
};

struct RanCase {
  std::size_t index = 0;  // in the plan
  std::string id;
  std::string operation;
  std::string operation_name;
  run::Verdict verdict = run::Verdict::kSkipped;
  std::chrono::microseconds time{0};
  std::optional<std::size_t> reason;  // index into `reasons` of the run value
  std::vector<FindingMark> findings;
  bool not_allowed = false;    // Outcome::not_allowed
  bool sends_nothing = false;  // Case::sends_nothing
  // What is before the service may reject it, so it shows nothing of the operation (a gateway).
  bool before_service = false;

  friend bool operator==(const RanCase&, const RanCase&) = default;
};

// The member `ran`: the cases by operation, in the given order.
nlohmann::json ran_json(const std::vector<RanCase>& cases);

// The cases of a run value, which is as run.schema.json says, in the plan's order.
std::vector<RanCase> ran_of(const nlohmann::json& run);

}  // namespace contract_tests::report
