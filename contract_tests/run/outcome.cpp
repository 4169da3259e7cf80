#include "contract_tests/run/outcome.hpp"

#include <array>

namespace contract_tests::run {

std::string_view to_text(Verdict verdict) {
  static constexpr std::array<std::string_view, kVerdicts> kTexts{"passed", "failed", "known",
                                                                  "inconclusive", "skipped"};
  return kTexts.at(static_cast<std::size_t>(verdict));
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
