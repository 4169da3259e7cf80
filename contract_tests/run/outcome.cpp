#include "contract_tests/run/outcome.hpp"

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>
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

checks::FindingState state_of(const Settings& settings, const checks::Finding& finding) {
  const auto* rule = find_rule(settings.book, finding.rule);
  const auto found = settings.baseline->find(finding.fingerprint);
  const bool leak = rule != nullptr && rule->never_known;
  return leak || found == settings.baseline->end() ? checks::FindingState::kNew : found->second;
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

const checks::Finding* find(const Outcome& outcome, std::string_view fingerprint) {
  const auto found =
      std::ranges::find(outcome.findings, fingerprint, &checks::Finding::fingerprint);
  return found == outcome.findings.end() ? nullptr : &*found;
}

Verdict verdict_of(const Outcome& outcome, checks::Severity fail_on) {
  bool known = false;
  for (const auto& finding : outcome.findings) {
    if (finding.severity < fail_on) {
      continue;
    }
    if (finding.state != checks::FindingState::kKnown) {
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
  } else if (merged.verdict != Verdict::kInconclusive) {
    merged.reason = {};
  }
  return merged;
}

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

namespace {

// The length of a text in a report that is part of no finding.
constexpr std::size_t kShownText = 1'000;

std::size_t bytes_of(const client::Exchange& exchange) {
  auto bytes = exchange.sent.body.size() + exchange.sent.target.size() + exchange.url.size() +
               exchange.response.body.size();
  for (const auto& [name, value] : exchange.sent.headers.lines()) {
    bytes += name.size() + value.size();
  }
  for (const auto& line : exchange.record.head.lines) {
    bytes += line.raw.size() + line.name.size();
  }
  return bytes;
}

std::size_t bytes_of(const Outcome& outcome) {
  std::size_t bytes = outcome.reason.words.size();
  for (const auto& step : outcome.steps) {
    bytes += step.request.size() + step.response.size() + step.curl.size();
  }
  for (const auto& finding : outcome.findings) {
    bytes += finding.message.text().size() + finding.excerpt.size() + finding.curl.size();
  }
  return bytes;
}

void shorten(std::string& text) {
  if (text.size() > kShownText) {
    text = spec::text::shortened(text, kShownText);
  }
  text.shrink_to_fit();
}

void clear(std::string& text) {
  std::string().swap(text);
}

}  // namespace

void OutcomeTrimmer::trim(Outcome& outcome) {
  trim_exchanges(outcome);
  for (auto& step : outcome.steps) {
    shorten(step.request);
    if (outcome.findings.empty()) {
      shorten(step.curl);
    }
  }
  if (texts_ < limits_.texts) {
    texts_ += bytes_of(outcome);
    return;
  }
  for (auto& step : outcome.steps) {
    clear(step.request);
    clear(step.response);
    clear(step.curl);
  }
  for (auto& finding : outcome.findings) {
    clear(finding.excerpt);
    clear(finding.curl);
  }
}

void OutcomeTrimmer::trim_exchanges(Outcome& outcome) {
  std::set<const client::Exchange*> counted;  // findings of one response share it
  for (auto& finding : outcome.findings) {
    const auto* shown = finding.shown.get();
    if (shown == nullptr || counted.contains(shown)) {
      continue;
    }
    const auto bytes = bytes_of(*shown);
    if (exchanges_ + bytes > limits_.exchanges) {
      finding.shown.reset();
      continue;
    }
    exchanges_ += bytes;
    counted.insert(shown);
  }
}

}  // namespace contract_tests::run
