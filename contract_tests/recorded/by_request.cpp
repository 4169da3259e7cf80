#include "contract_tests/recorded/by_request.hpp"

#include "spec/text/quote.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::recorded {

using run::Outcome;
using run::Verdict;
using spec::har::Call;

namespace {

constexpr std::size_t kMaxNumbers = 3;  // of calls that a sentence names
constexpr std::size_t kMaxSteps = 5;    // of a case, beside those with findings

std::string id_of(const run::Case& item, const Call& call, const run::display::Secrets& secrets) {
  const auto& request = call.request;
  const auto text = secrets.redacted(request.method + ' ' + request.target + '\n' + request.body);
  return run::name_of(item.operation_name, "recorded request " + checks::stable_hash(text));
}

// "call 3 of the file", "calls 3, 7, 9 and 12 more of the file"
std::string sentence_of(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t at = 0; at < std::min(numbers.size(), kMaxNumbers); ++at) {
    spec::text::append_to_list(text, std::to_string(numbers[at]));
  }
  text = (numbers.size() == 1 ? "call " : "calls ") + text;
  if (numbers.size() > kMaxNumbers) {
    text += " and " + std::to_string(numbers.size() - kMaxNumbers) + " more";
  }
  return text + " of the file";
}

bool has(const Outcome& outcome, const checks::Finding& finding) {
  return find(outcome, finding.fingerprint) != nullptr;
}

// Adds what another call with the same request came to.
void join(Outcome& whole, Outcome more) {
  const bool adds = std::ranges::any_of(
      more.findings, [&whole](const checks::Finding& finding) { return !has(whole, finding); });
  if (adds || whole.steps.size() < kMaxSteps) {
    std::ranges::move(more.steps, std::back_inserter(whole.steps));
  }
  for (auto& finding : more.findings) {
    if (!has(whole, finding)) {
      whole.findings.push_back(std::move(finding));
    }
  }
  whole.time += more.time;
  // What was skipped says nothing about the calls that got a response.
  const bool was_skipped = whole.verdict == Verdict::kSkipped;
  if (more.verdict != Verdict::kSkipped && (was_skipped || whole.reason.empty())) {
    whole.reason = std::move(more.reason);
  }
  if (!was_skipped || more.verdict != Verdict::kSkipped) {
    whole.verdict = verdict_of(whole);
  }
}

}  // namespace

Cases by_request(const run::Settings& settings, RecordedCalls recorded, Outcomes outcomes) {
  Cases made;
  std::map<std::string, std::size_t> indices;
  std::vector<std::vector<std::size_t>> numbers;  // of the calls, by case
  for (auto& of_call : outcomes) {
    const std::size_t index = of_call.first;
    run::Outcome& outcome = of_call.second;
    auto& item = recorded.plan.cases[index];
    const auto& call = recorded.calls[index];
    item.id = id_of(item, call, settings.secrets);
    if (!call.response) {
      outcome.verdict = Verdict::kSkipped;  // a client that gave up says nothing about the service
    }
    for (auto& finding : outcome.findings) {
      finding.case_id = item.id;
    }
    const auto [found, is_new] = indices.try_emplace(item.id, made.plan.cases.size());
    const auto at = found->second;
    if (is_new) {
      made.plan.cases.push_back(std::move(item));
      made.outcomes.emplace(at, std::move(outcome));
      numbers.emplace_back();
    } else {
      join(made.outcomes[at], std::move(outcome));
    }
    numbers[at].push_back(call.index + 1);
  }
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    note_states(settings, made.outcomes[at]);
    made.plan.cases[at].sentence = sentence_of(numbers[at]);
  }
  return made;
}

}  // namespace contract_tests::recorded
