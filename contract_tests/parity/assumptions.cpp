#include "contract_tests/parity/assumptions.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace contract_tests::parity {

namespace {

using checks::Finding;
using spec::contract::Statement;
using spec::contract::StatementClass;

// Whether `pointer` leads to `above`, or into it.
bool is_inside(std::string_view pointer, std::string_view above) {
  return pointer.starts_with(above) &&
         (pointer.size() == above.size() || pointer[above.size()] == '/');
}

// Whether the case tries what is assumed. The name of a parameter is tried by every case about the
// parameter.
bool is_about(const run::Case& item, const Statement& assumption) {
  const std::string_view pointer = assumption.pointer;
  const auto last = pointer.rfind('/');
  const auto token = pointer.substr(last == std::string_view::npos ? 0 : last);
  if (token == "/name" ||
      (token == "/allowEmptyValue" && item.why.rule == "same/empty-parameter")) {
    return is_inside(item.why.source.pointer, pointer.substr(0, last));
  }
  return is_inside(item.why.source.pointer, pointer);
}

Witness witness_of_finding(const Finding& finding) {
  return {finding.operation, finding.case_id, finding.curl, finding.response};
}

Witness witness_of_case(const run::Case& item, const run::Outcome& outcome) {
  const auto& step = outcome.steps.front();
  return {item.operation_name, item.id, step.curl, step.response};
}

class Weighing {
 public:
  Weighing(const run::Plan& plan, const Results& service) : plan_(plan), service_(service) {}

  Assumption weigh(const Statement& statement) const {
    Assumption made{.pointer = statement.pointer,
                    .place = statement.file + ':' + std::to_string(statement.line) + ':' +
                             std::to_string(statement.column),
                    .reason = statement.reason};
    const auto refutes = [&statement](const Finding& finding) {
      return !finding.source.pointer.empty() &&
             finding.source.statement_class == StatementClass::kAssumption &&
             is_inside(finding.source.pointer, statement.pointer);
    };
    const auto about = [&statement](const run::Case& item) {
      return !item.why.source.pointer.empty() && !item.sends_nothing && is_about(item, statement);
    };
    if (!refute(refutes, made) && !confirm(about, made)) {
      if (const auto* witness = service_.side.witness(statement)) {
        made.state = AssumptionState::kConfirmed;
        made.evidence = *witness;
      }
    }
    return made;
  }

  // Of the suite's rules that the cases or the findings are about.
  std::vector<Assumption> of_rules() const {
    std::map<std::string, std::string> rules;  // id -> clause
    const auto add = [&rules](const std::string& rule, const checks::Source& source) {
      if (source.statement_class == StatementClass::kAssumption && source.pointer.empty()) {
        rules.emplace(rule, source.clause);
      }
    };
    for (const auto& [index, outcome] : service_.outcomes) {
      add(plan_.cases[index].why.rule, plan_.cases[index].why.source);
      for (const auto& finding : outcome.findings) {
        add(finding.rule, finding.source);
      }
    }
    std::vector<Assumption> made;
    for (const auto& [rule, clause] : rules) {
      made.push_back({.place = rule, .reason = clause});
      const auto refutes = [&rule = rule](const Finding& finding) { return finding.rule == rule; };
      const auto about = [&rule = rule](const run::Case& item) { return item.why.rule == rule; };
      if (!refute(refutes, made.back())) {
        confirm(about, made.back());
      }
    }
    return made;
  }

 private:
  template <typename Refutes>
  bool refute(const Refutes& refutes, Assumption& made) const {
    for (const auto& [index, outcome] : service_.outcomes) {
      const auto found = std::ranges::find_if(outcome.findings, refutes);
      if (found != outcome.findings.end()) {
        made.state = AssumptionState::kRefuted;
        made.what = found->place + ' ' + found->message.text();
        made.evidence = witness_of_finding(*found);
        return true;
      }
    }
    return false;
  }

  template <typename About>
  bool confirm(const About& about, Assumption& made) const {
    for (const auto& [index, outcome] : service_.outcomes) {
      if (outcome.verdict == run::Verdict::kPassed && !outcome.steps.empty() &&
          about(plan_.cases[index])) {
        made.state = AssumptionState::kConfirmed;
        made.evidence = witness_of_case(plan_.cases[index], outcome);
        return true;
      }
    }
    return false;
  }

  const run::Plan& plan_;
  const Results& service_;
};

}  // namespace

std::string_view to_text(AssumptionState state) {
  static constexpr std::array<std::string_view, 3> kTexts{"refuted", "confirmed", "not seen"};
  return kTexts.at(static_cast<std::size_t>(state));
}

std::vector<Assumption> weigh_assumptions(const spec::contract::Contract& contract,
                                          const run::Plan& plan, const Results& service) {
  const Weighing weighing(plan, service);
  std::vector<Assumption> all;
  for (const auto& statement : contract.assumptions()) {
    all.push_back(weighing.weigh(statement));
  }
  auto rules = weighing.of_rules();
  all.insert(all.end(), rules.begin(), rules.end());
  return all;
}

}  // namespace contract_tests::parity
