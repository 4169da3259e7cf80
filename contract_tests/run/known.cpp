#include "contract_tests/run/known.hpp"

namespace contract_tests::run {

namespace {

checks::State state_of(const Settings& settings, const checks::Finding& finding) {
  const auto* rule = find_rule(settings.book, finding.rule);
  const auto found = settings.baseline->find(finding.fingerprint);
  const bool leak = rule != nullptr && rule->never_known;
  return leak || found == settings.baseline->end() ? checks::State::kNew : found->second;
}

}  // namespace

void note_states(const Settings& settings, Outcome& outcome) {
  if (!settings.baseline) {
    return;
  }
  for (auto& finding : outcome.findings) {
    if (finding.severity == checks::Severity::kError) {
      finding.state = state_of(settings, finding);
    }
  }
  if (outcome.verdict == Verdict::kFailed) {
    outcome.verdict = verdict_of(outcome);
  }
}

}  // namespace contract_tests::run
