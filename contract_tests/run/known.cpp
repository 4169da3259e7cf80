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
  bool any = false;
  for (auto& finding : outcome.findings) {
    if (finding.severity >= settings.fail_on) {
      any = true;
      finding.state = settings.baseline ? std::optional(state_of(settings, finding)) : std::nullopt;
    }
  }
  const bool flaky = outcome.verdict == Verdict::kInconclusive && outcome.repeats.of > 0;
  if (any && !flaky) {
    outcome.verdict = verdict_of(outcome, settings.fail_on);
  }
}

}  // namespace contract_tests::run
