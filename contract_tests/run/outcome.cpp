#include "contract_tests/run/outcome.hpp"

#include <algorithm>
#include <array>

namespace contract_tests::run {

namespace {

constexpr std::array<std::string_view, kVerdicts> kVerdictTexts{"passed", "failed", "known",
                                                                "inconclusive", "skipped"};

}  // namespace

std::string_view to_text(Verdict verdict) {
  return kVerdictTexts.at(static_cast<std::size_t>(verdict));
}

std::optional<Verdict> verdict_from(std::string_view text) {
  const auto* found = std::ranges::find(kVerdictTexts, text);
  if (found == kVerdictTexts.end()) {
    return std::nullopt;
  }
  return static_cast<Verdict>(found - kVerdictTexts.begin());
}

Verdict verdict_of(const Outcome& outcome) {
  bool known = false;
  for (const auto& finding : outcome.findings) {
    if (finding.severity != checks::Severity::kError) {
      continue;
    }
    if (finding.state != checks::State::kKnown) {
      return Verdict::kFailed;
    }
    known = true;
  }
  if (known) {
    return Verdict::kKnown;
  }
  return outcome.reason.empty() ? Verdict::kPassed : Verdict::kInconclusive;
}

}  // namespace contract_tests::run
