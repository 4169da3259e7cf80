#include "contract_tests/run/outcome.hpp"

#include <algorithm>
#include <array>

namespace contract_tests::run {

namespace {

constexpr std::array<std::string_view, 4> kVerdicts{"passed", "failed", "inconclusive", "skipped"};

}  // namespace

std::string_view to_text(Verdict verdict) {
  return kVerdicts.at(static_cast<std::size_t>(verdict));
}

std::optional<Verdict> verdict_from(std::string_view text) {
  const auto* found = std::ranges::find(kVerdicts, text);
  if (found == kVerdicts.end()) {
    return std::nullopt;
  }
  return static_cast<Verdict>(found - kVerdicts.begin());
}

Verdict verdict_of(const Outcome& outcome) {
  const bool error = std::ranges::any_of(outcome.findings, [](const auto& finding) {
    return finding.severity == checks::Severity::kError;
  });
  if (error) {
    return Verdict::kFailed;
  }
  return outcome.reason.empty() ? Verdict::kPassed : Verdict::kInconclusive;
}

}  // namespace contract_tests::run
