#include "contract_tests/run/outcome.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace contract_tests::run {

namespace {

constexpr std::array<std::string_view, kVerdicts> kVerdictTexts{"passed", "failed", "known",
                                                                "inconclusive", "skipped"};

void add_findings(Outcome& merged, std::vector<checks::Finding>&& findings) {
  for (auto& finding : findings) {
    if (++merged.met[finding.fingerprint] == 1) {
      merged.findings.push_back(std::move(finding));
    }
  }
}

void count(Repeats& repeats, Verdict verdict) {
  ++repeats.of;
  repeats.passed += verdict == Verdict::kPassed ? 1 : 0;
  repeats.failed += verdict == Verdict::kFailed ? 1 : 0;
}

Verdict verdict_of(const Repeats& repeats) {
  if (repeats.failed > 0 && repeats.passed == 0) {
    return Verdict::kFailed;
  }
  return repeats.passed > 0 && repeats.failed == 0 ? Verdict::kPassed : Verdict::kInconclusive;
}

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

Verdict verdict_of(const Outcome& outcome, checks::Severity fail_on) {
  bool known = false;
  for (const auto& finding : outcome.findings) {
    if (finding.severity < fail_on) {
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

Outcome merge_repeats(std::vector<Outcome> times) {
  if (times.size() == 1) {
    return std::move(times.front());
  }
  Outcome merged;
  for (auto& once : times) {
    count(merged.repeats, once.verdict);
    if (merged.reason.empty()) {
      merged.reason = once.reason;
      merged.leans_on = once.leans_on;
      merged.limited = once.limited;
    }
    merged.time += once.time;
    merged.steps.insert(merged.steps.end(), std::make_move_iterator(once.steps.begin()),
                        std::make_move_iterator(once.steps.end()));
    add_findings(merged, std::move(once.findings));
  }
  merged.verdict = verdict_of(merged.repeats);
  if (merged.repeats.failed > 0 && merged.repeats.passed > 0) {
    merged.reason = "flaky: failed " + std::to_string(merged.repeats.failed) + " of " +
                    std::to_string(merged.repeats.of) + " times";
    merged.leans_on.clear();
    merged.limited = false;
  } else if (merged.verdict != Verdict::kInconclusive) {
    merged.reason.clear();
    merged.leans_on.clear();
  }
  return merged;
}

}  // namespace contract_tests::run
