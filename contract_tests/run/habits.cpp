#include "contract_tests/run/habits.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace contract_tests::run {

using checks::Finding;

namespace {

using Key = std::pair<std::string, std::string>;  // rule and place

struct Habit {
  std::set<std::string> operations;
  std::string case_id;  // of the first finding
};

using Habits = std::map<Key, Habit>;

Habits habits_in(const plan::RuleBook& book, const std::map<std::size_t, Outcome>& outcomes) {
  Habits habits;
  for (const auto& [index, outcome] : outcomes) {
    for (const auto& finding : outcome.findings) {
      const auto* rule = find_rule(book, finding.rule);
      if (rule != nullptr && rule->habit) {
        auto& habit = habits[{finding.rule, finding.place}];
        habit.case_id = habit.operations.empty() ? finding.case_id : habit.case_id;
        habit.operations.insert(finding.operation);
        habit.operations.insert(finding.operations.begin(), finding.operations.end());
      }
    }
  }
  std::erase_if(habits, [](const auto& entry) { return entry.second.operations.size() < 2; });
  return habits;
}

// Removes the findings of `outcome` that repeat an earlier one; the id of its case, "" for none.
std::string remove_repeated(const Habits& habits, std::set<Key>& reported, Outcome& outcome) {
  std::string leans_on;
  std::erase_if(outcome.findings, [&](Finding& finding) {
    const Key key{finding.rule, finding.place};
    const auto habit = habits.find(key);
    if (habit == habits.end()) {
      return false;
    }
    if (reported.insert(key).second) {
      auto others = habit->second.operations;
      others.erase(finding.operation);
      finding.operations.assign(others.begin(), others.end());
      return false;
    }
    const bool error = finding.severity == checks::Severity::kError;
    leans_on = error && leans_on.empty() ? habit->second.case_id : leans_on;
    return true;
  });
  return leans_on;
}

}  // namespace

std::string reason_of_habit(const std::string& case_id) {
  return "the same for other operations too: see " + case_id;
}

void merge_habits(const plan::RuleBook& book, std::map<std::size_t, Outcome>& outcomes) {
  const auto habits = habits_in(book, outcomes);
  std::set<Key> reported;
  for (auto& [index, outcome] : outcomes) {
    auto leans_on = remove_repeated(habits, reported, outcome);
    if (outcome.verdict != Verdict::kFailed || leans_on.empty()) {
      continue;
    }
    outcome.verdict = verdict_of(outcome);
    if (outcome.verdict == Verdict::kFailed) {
      continue;
    }
    outcome.verdict = Verdict::kInconclusive;
    outcome.reason = reason_of_habit(leans_on);
    outcome.leans_on = std::move(leans_on);
  }
}

}  // namespace contract_tests::run
