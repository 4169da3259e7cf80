#include "contract_tests/baseline/states.hpp"

#include "contract_tests/run/severities.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace contract_tests::baseline {

using checks::Finding;
using checks::Severity;
using run::Outcome;
using run::Verdict;

namespace {

constexpr std::size_t kMaxCases = 20;  // that an entry names
constexpr std::size_t kMaxSays = 200;  // characters

bool names(const Entry& entry, const std::string& case_id) {
  return std::ranges::find(entry.cases, case_id) != entry.cases.end();
}

using ById = std::map<std::string, const Entry*>;
using ByCase = std::map<std::string, const Outcome*>;  // by id of the case

ByCase by_case(const Outcomes& outcomes, const run::Plan& plan) {
  ByCase found;
  for (const auto& [index, outcome] : outcomes) {
    found[plan.cases.at(index).id] = &outcome;
  }
  return found;
}

// Whether the outcome of a case, which does not show `entry`, proves that it is gone. A case that
// fails still does when it found the rest beside the entry before: that does not hide it.
bool proves(const Entry& entry, const std::string& case_id, const Outcome& outcome,
            const ById& entries) {
  return outcome.verdict == Verdict::kPassed ||
         (outcome.verdict == Verdict::kKnown &&
          std::ranges::all_of(outcome.findings,
                              [&](const Finding& finding) {
                                const auto other = entries.find(finding.fingerprint);
                                return finding.severity != Severity::kError ||
                                       (other != entries.end() && names(*other->second, case_id));
                              }) &&
          names(entry, case_id));
}

bool is_assumption(const Entry& entry) {
  return entry.statement_class == to_text(spec::contract::StatementClass::kAssumption);
}

checks::Source source_of(const Entry& entry) {
  return {.clause = entry.clause,
          .statement_class = spec::contract::statement_class_from(entry.statement_class),
          .pointer = entry.pointer,
          .place = {}};
}

// Whether this run would report the entry, were it still there.
bool is_looked_for(const Entry& entry, const Surroundings& around) {
  if (around.settings.document_only && is_assumption(entry)) {
    return false;
  }
  const auto weight = weight_of(around.settings.severities, entry.rule, source_of(entry), 0);
  const bool other_requests = entry.seed && *entry.seed != around.plan.seed;
  return !(weight && weight->off) && !other_requests;
}

bool is_stale(const Entry& entry, const Surroundings& around) {
  if (around.settings.document_only && is_assumption(entry)) {
    return false;
  }
  const auto operations = around.contract.operations();
  const bool has_operation =
      std::ranges::find(operations, entry.operation, &spec::contract::Operation::name) !=
      operations.end();
  const auto& statements = around.contract.statements();
  const bool has_statement =
      entry.pointer.empty() ||
      std::ranges::find(statements, entry.pointer, &spec::contract::Statement::pointer) !=
          statements.end();
  return !has_operation || !has_statement || find_rule(around.settings.book, entry.rule) == nullptr;
}

Entry entry_of(const Finding& finding, Date today) {
  return {.id = finding.fingerprint,
          .operation = finding.operation,
          .rule = finding.rule,
          .statement_class = std::string(to_text(finding.source.statement_class)),
          .clause = finding.source.clause,
          .pointer = finding.source.pointer,
          .stated_at = finding.source.place,
          .place = checks::kind_place_of(finding),
          .says = spec::text::shortened(finding.message.text(), kMaxSays),
          .reason = {},
          .owner = {},
          .ticket = {},
          .added = today,
          .expires = today,
          .seed = std::nullopt,
          .cases = {}};
}

}  // namespace

run::Baselined baselined(const std::vector<Entry>& entries, Date today) {
  run::Baselined states;
  for (const auto& entry : entries) {
    states[entry.id] = entry.expires < today ? checks::State::kExpired : checks::State::kKnown;
  }
  return states;
}

std::string_view to_text(EntryState state) {
  static constexpr std::array<std::string_view, kEntryStates> kTexts{"known", "fixed", "not_seen",
                                                                     "expired", "stale"};
  return kTexts.at(static_cast<std::size_t>(state));
}

std::vector<Standing> standings(const std::vector<Entry>& entries, const Outcomes& outcomes,
                                const Surroundings& around) {
  ById by_id;
  for (const auto& entry : entries) {
    by_id[entry.id] = &entry;
  }
  std::set<std::string> found;
  for (const auto& [index, outcome] : outcomes) {
    for (const auto& finding : outcome.findings) {
      found.insert(finding.fingerprint);
    }
  }
  const auto cases = by_case(outcomes, around.plan);
  std::vector<Standing> all;
  for (const auto& entry : entries) {
    Standing made{.entry = entry, .days_left = (entry.expires - around.today).count()};
    if (found.contains(entry.id)) {
      made.state = made.days_left < 0 ? EntryState::kExpired : EntryState::kKnown;
    } else if (is_stale(entry, around)) {
      made.state = EntryState::kStale;
    } else if (is_looked_for(entry, around)) {
      made.proved = static_cast<std::size_t>(
          std::ranges::count_if(entry.cases, [&](const std::string& case_id) {
            const auto ran = cases.find(case_id);
            return ran != cases.end() && proves(entry, case_id, *ran->second, by_id);
          }));
      const bool all_prove = !entry.cases.empty() && made.proved == entry.cases.size();
      made.state = all_prove ? EntryState::kFixed : EntryState::kNotSeen;
    }
    all.push_back(std::move(made));
  }
  return all;
}

Unknown unknown_in(const Outcomes& outcomes, const Surroundings& around) {
  std::map<std::string, Entry> made;
  for (const auto& [index, outcome] : outcomes) {
    const auto& item = around.plan.cases.at(index);
    if (outcome.verdict != Verdict::kFailed) {
      continue;  // a flaky one stays inconclusive, whatever is known
    }
    for (const auto& finding : outcome.findings) {
      if (finding.state != checks::State::kNew) {
        continue;
      }
      auto& entry =
          made.try_emplace(finding.fingerprint, entry_of(finding, around.today)).first->second;
      if (entry.cases.size() < kMaxCases) {
        entry.cases.push_back(item.id);
        entry.seed = item.generated ? std::optional(around.plan.seed) : entry.seed;
      }
    }
  }
  Unknown unknown;
  for (auto& [id, entry] : made) {
    const auto* rule = find_rule(around.settings.book, entry.rule);
    (rule != nullptr && rule->never_known ? unknown.leaks : unknown.entries)
        .push_back(std::move(entry));
  }
  return unknown;
}

Entry without_masked(Entry entry, const Outcomes& outcomes, const run::Plan& plan) {
  const auto cases = by_case(outcomes, plan);
  std::erase_if(entry.cases, [&](const std::string& case_id) {
    const auto ran = cases.find(case_id);
    return ran != cases.end() && ran->second->verdict == Verdict::kFailed &&
           find(*ran->second, entry.id) == nullptr;
  });
  return entry;
}

std::size_t Result::count(EntryState state) const {
  return static_cast<std::size_t>(std::ranges::count(entries, state, &Standing::state));
}

bool Result::fails() const {
  return strict && std::ranges::any_of(entries, [this](const Standing& standing) {
           return standing.state == EntryState::kFixed &&
                  std::ranges::find(pruned, standing.entry.id) == pruned.end();
         });
}

}  // namespace contract_tests::baseline
