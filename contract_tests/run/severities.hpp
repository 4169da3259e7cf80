#pragma once

// The severity of a violation where a person has set it: by rule, by clause of the source or of a
// standard, by class, and for statuses that the contract does not list. One small file
// (rules/severities.yaml, or --severities); what it leaves out is as the rule book has it.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/plan/data_file.hpp"
#include "contract_tests/plan/rules.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace contract_tests::run {

// `off` drops the finding, and skips cases of that rule.
struct Weight {
  bool off = false;
  checks::Severity severity = checks::Severity::kError;

  friend bool operator==(const Weight&, const Weight&) = default;
};

struct Severities {
  std::map<std::string, Weight> rules;     // "http/bare-lf", or a family: "paging/*"
  std::map<std::string, Weight> clauses;   // "§4.3", "RFC 9110 §15.5.6"
  std::map<std::string, Weight> classes;   // "document", "standard", "assumption"
  std::map<std::string, Weight> unlisted;  // "401", or a range: "4xx"
};

// The nearest weight for a finding: its rule's, its rule's family's, the status's where the finding
// is that the contract does not list it, its clause's, its class's. Nothing: as built in.
std::optional<Weight> weight_of(const Severities& severities, const std::string& rule,
                                const checks::Source& source, int status);

// Throws spec::LoadError for a file that cannot be read or names a rule that the book lacks.
Severities load_severities(plan::DataFiles& files, const std::filesystem::path& file,
                           const plan::RuleBook& book);

}  // namespace contract_tests::run
