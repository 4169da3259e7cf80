#include "contract_tests/findings/repeated_findings.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace contract_tests::findings {

using checks::Finding;
using checks::KeyScope;

namespace {

struct RepeatedFinding {
  std::map<std::string, std::string> operations;  // with the fingerprints of their findings
  std::string case_id;                            // of the first finding
};

using RepeatedFindings = std::map<std::string, RepeatedFinding>;  // by key

RepeatedFindings repeated_findings_in(const plan::RuleBook& book, const run::Outcomes& outcomes) {
  RepeatedFindings repeated;
  for (const auto& [index, outcome] : outcomes) {
    for (const auto& finding : outcome.findings) {
      const auto* rule = find_rule(book, finding.rule);
      if (rule != nullptr && rule->report_once) {
        auto& repeated_finding = repeated[key_of(finding, KeyScope::kRepeated)];
        repeated_finding.case_id =
            repeated_finding.operations.empty() ? finding.case_id : repeated_finding.case_id;
        repeated_finding.operations.emplace(finding.operation, finding.fingerprint);
        for (std::size_t at = 0; at < finding.operations.size(); ++at) {
          const bool has = at < finding.fingerprints.size();
          repeated_finding.operations.emplace(finding.operations[at],
                                              has ? finding.fingerprints[at] : "");
        }
      }
    }
  }
  std::erase_if(repeated, [](const auto& entry) { return entry.second.operations.size() < 2; });
  return repeated;
}

// Removes the findings of `outcome` that repeat an earlier one; the id of its case, "" for none.
std::string remove_repeated(const RepeatedFindings& repeated, std::set<std::string>& reported,
                            checks::Severity fail_on, run::Outcome& outcome) {
  std::string caused_by;
  std::erase_if(outcome.findings, [&](Finding& finding) {
    const auto key = key_of(finding, KeyScope::kRepeated);
    const auto found = repeated.find(key);
    if (found == repeated.end()) {
      return false;
    }
    if (reported.insert(key).second) {
      finding.operations.clear();
      finding.fingerprints.clear();
      for (const auto& [operation, fingerprint] : found->second.operations) {
        if (operation != finding.operation) {
          finding.operations.push_back(operation);
          finding.fingerprints.push_back(fingerprint);
        }
      }
      return false;
    }
    const bool fails = finding.severity >= fail_on;
    caused_by = fails && caused_by.empty() ? found->second.case_id : caused_by;
    return true;
  });
  return caused_by;
}

}  // namespace

void merge_repeated_findings(const plan::RuleBook& book, run::Outcomes& outcomes,
                             checks::Severity fail_on) {
  const auto repeated = repeated_findings_in(book, outcomes);
  std::set<std::string> reported;
  for (auto& [index, outcome] : outcomes) {
    auto caused_by = remove_repeated(repeated, reported, fail_on, outcome);
    if (outcome.verdict == run::Verdict::kKnown) {
      outcome.reason.caused_by = std::move(caused_by);
      continue;
    }
    if (outcome.verdict != run::Verdict::kFailed || caused_by.empty()) {
      continue;
    }
    outcome.verdict = run::verdict_of(outcome, fail_on);
    if (outcome.verdict == run::Verdict::kFailed || outcome.verdict == run::Verdict::kKnown) {
      continue;
    }
    outcome.verdict = run::Verdict::kInconclusive;
    outcome.reason = run::repeated(caused_by);
  }
}

}  // namespace contract_tests::findings
