#include "contract_tests/run/outcome.hpp"

#include <algorithm>
#include <array>

namespace contract_tests::run {

std::string_view to_text(Verdict verdict) {
  static constexpr std::array<std::string_view, 4> kTexts{"passed", "failed", "inconclusive",
                                                          "skipped"};
  return kTexts.at(static_cast<std::size_t>(verdict));
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
