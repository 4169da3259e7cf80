#include "contract_tests/findings/habits.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace contract_tests::findings {

using checks::Finding;
using checks::Same;

namespace {

struct Habit {
  std::map<std::string, std::string> operations;  // with the fingerprints of their findings
  std::string case_id;                            // of the first finding
};

using Habits = std::map<std::string, Habit>;  // by key

Habits habits_in(const plan::RuleBook& book, const run::Outcomes& outcomes) {
  Habits habits;
  for (const auto& [index, outcome] : outcomes) {
    for (const auto& finding : outcome.findings) {
      const auto* rule = find_rule(book, finding.rule);
      if (rule != nullptr && rule->habit) {
        auto& habit = habits[key_of(finding, Same::kHabit)];
        habit.case_id = habit.operations.empty() ? finding.case_id : habit.case_id;
        habit.operations.emplace(finding.operation, finding.fingerprint);
        for (std::size_t at = 0; at < finding.operations.size(); ++at) {
          const bool has = at < finding.fingerprints.size();
          habit.operations.emplace(finding.operations[at], has ? finding.fingerprints[at] : "");
        }
      }
    }
  }
  std::erase_if(habits, [](const auto& entry) { return entry.second.operations.size() < 2; });
  return habits;
}

// Removes the findings of `outcome` that repeat an earlier one; the id of its case, "" for none.
std::string remove_repeated(const Habits& habits, std::set<std::string>& reported,
                            checks::Severity fail_on, run::Outcome& outcome) {
  std::string leans_on;
  std::erase_if(outcome.findings, [&](Finding& finding) {
    const auto key = key_of(finding, Same::kHabit);
    const auto habit = habits.find(key);
    if (habit == habits.end()) {
      return false;
    }
    if (reported.insert(key).second) {
      finding.operations.clear();
      finding.fingerprints.clear();
      for (const auto& [operation, fingerprint] : habit->second.operations) {
        if (operation != finding.operation) {
          finding.operations.push_back(operation);
          finding.fingerprints.push_back(fingerprint);
        }
      }
      return false;
    }
    const bool fails = finding.severity >= fail_on;
    leans_on = fails && leans_on.empty() ? habit->second.case_id : leans_on;
    return true;
  });
  return leans_on;
}

}  // namespace

void merge_habits(const plan::RuleBook& book, run::Outcomes& outcomes, checks::Severity fail_on) {
  const auto habits = habits_in(book, outcomes);
  std::set<std::string> reported;
  for (auto& [index, outcome] : outcomes) {
    auto leans_on = remove_repeated(habits, reported, fail_on, outcome);
    if (outcome.verdict == run::Verdict::kKnown) {
      outcome.reason.leans_on = std::move(leans_on);
      continue;
    }
    if (outcome.verdict != run::Verdict::kFailed || leans_on.empty()) {
      continue;
    }
    outcome.verdict = run::verdict_of(outcome, fail_on);
    if (outcome.verdict == run::Verdict::kFailed || outcome.verdict == run::Verdict::kKnown) {
      continue;
    }
    outcome.verdict = run::Verdict::kInconclusive;
    outcome.reason = run::repeated(leans_on);
  }
}

}  // namespace contract_tests::findings
