#include "contract_tests/parity/parity_report.hpp"

#include "spec/text/markdown.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

namespace contract_tests::parity {

namespace {

using nlohmann::json;
using spec::text::shortened;

constexpr std::array kAllVerdicts{RowVerdict::kServiceViolates, RowVerdict::kMockDiffers,
                                  RowVerdict::kContractIsSilent, RowVerdict::kCannotTell};
constexpr std::array kAllStates{AssumptionState::kConfirmed, AssumptionState::kRefuted,
                                AssumptionState::kNotSeen};
constexpr std::ptrdiff_t kMaxFixLines = 24;  // on a terminal
constexpr std::size_t kFieldColumn = 12;
constexpr std::size_t kMaxColumn = 300;      // characters of what a side does
constexpr std::size_t kMaxSnippet = 20'000;  // bytes of a snippet in Markdown

std::string in_parentheses(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) {
    if (!part.empty()) {
      spec::text::append_to_list(text, part);
    }
  }
  return text.empty() ? "" : " (" + text + ')';
}

std::string cases_text(std::size_t count) {
  return spec::text::counted(count, "case", "cases");
}

std::string head_of(const Row& row) {
  const bool weak =
      row.verdict == RowVerdict::kServiceViolates && row.severity != checks::Severity::kError;
  return std::string(to_text(row.verdict)) + ": " + row.operation +
         (row.place.empty() ? "" : ": " + shortened(row.place, kMaxColumn)) +
         (row.cases > 1 ? " [" + cases_text(row.cases) + ']' : "") +
         in_parentheses({row.rule, weak ? "warning" : ""});
}

std::string field(std::string_view name, const std::string& text) {
  std::string line = "  " + std::string(name);
  line.resize(kFieldColumn, ' ');
  return text.empty() ? "" : line + text + '\n';
}

// Below the names of the fields.
std::string indented(const std::string& text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    made += std::string(kFieldColumn, ' ') + text.substr(at, end - at) + '\n';
    at = end + 1;
  }
  return made;
}

// A long record is not printed: what changes in it is.
std::string snippet(const SuggestedFix& fix) {
  if (fix.file.empty()) {
    return field("fix", fix.text);
  }
  const bool is_long = std::ranges::count(fix.text, '\n') > kMaxFixLines;
  if (!is_long) {
    return field("fix", fix.file + ':') + indented(fix.text);
  }
  return field("fix", fix.file + ", which --json writes whole; in it:") +
         indented(fix.changes.empty() ? "a new record" : spec::text::join(fix.changes, "\n"));
}

std::string row_text(const Row& row) {
  return head_of(row) + '\n' + field("contract", row.contract) + field("", row.source) +
         field("mock", shortened(row.mock, kMaxColumn)) +
         field("service", shortened(row.service, kMaxColumn)) + field("case", row.case_id) +
         field("reproduce", row.curl) + (row.fix ? snippet(*row.fix) : "") + '\n';
}

std::string name_of(const Assumption& assumption) {
  return assumption.place + (assumption.pointer.empty() ? "" : ' ' + assumption.pointer);
}

std::string assumption_line(const Assumption& assumption) {
  std::string line(to_text(assumption.state));
  line.resize(11, ' ');
  line += name_of(assumption);
  line += assumption.what.empty() ? "" : ": " + shortened(assumption.what, kMaxColumn);
  if (assumption.evidence) {
    line += " [" + assumption.evidence->case_id + ']';
  }
  return line + '\n';
}

std::string count_text(const Report& report) {
  std::string text;
  for (const auto verdict : kAllVerdicts) {
    spec::text::append_to_list(
        text, std::string(to_text(verdict)) + ' ' +
                  std::to_string(std::ranges::count(report.compared.rows, verdict, &Row::verdict)));
  }
  return text + "; " + cases_text(report.compared.cases) + " compared\n";
}

std::string state_counts(const Report& report) {
  std::string text;
  for (const auto state : kAllStates) {
    spec::text::append_to_list(
        text, std::to_string(std::ranges::count(report.assumptions, state, &Assumption::state)) +
                  ' ' + std::string(to_text(state)));
  }
  return text;
}

std::string left_out_text(const Report& report, const std::string& bullet) {
  std::string text;
  for (const auto& [reason, cases] : report.compared.left_out) {
    text += bullet + "not compared: " + reason + " [" + cases_text(cases) + "]\n";
  }
  for (const auto& note : report.notes) {
    text += bullet + note + '\n';
  }
  return text;
}

std::string cell(const std::string& text) {
  return spec::text::escape_markdown(shortened(text, kMaxColumn));
}

std::string code_cell(const std::string& text) {
  std::string made = text;
  std::erase_if(made, [](char letter) { return letter == '`' || letter == '\n'; });
  for (std::size_t at = made.find('|'); at != std::string::npos; at = made.find('|', at + 2)) {
    made.insert(at, "\\");
  }
  return made.empty() ? "" : '`' + made + '`';
}

// Longer than any run of backquotes in it.
std::string fence_for(const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) {
    fence += '`';
  }
  return fence;
}

std::string markdown_rows(const Report& report) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : report.compared.rows) {
    rows.push_back({std::string(to_text(row.verdict)),
                    cell(row.operation + (row.place.empty() ? "" : ", " + row.place)),
                    cell(row.contract + in_parentheses({row.source})), cell(row.mock),
                    cell(row.service)});
  }
  return rows.empty() ? "No differences.\n"
                      : spec::text::markdown_table(
                            {"verdict", "operation", "contract", "mock", "service"}, rows)
                            .text;
}

std::string markdown_fixes(const Report& report) {
  std::string text;
  for (const auto& row : report.compared.rows) {
    if (!row.fix) {
      continue;
    }
    text += "\n" + cell(row.operation + ", " + row.place) + ":";
    if (row.fix->file.empty()) {
      text += ' ' + cell(row.fix->text) + '\n';
    } else if (row.fix->text.size() > kMaxSnippet) {
      text += " `" + row.fix->file + "` (large: --json has it)\n";
    } else {
      const auto fence = fence_for(row.fix->text);
      text += " `" + row.fix->file + "`\n\n" + fence + '\n' + row.fix->text + fence + '\n';
    }
  }
  return text.empty() ? "" : "\n## Suggested fixes of the mock\n" + text;
}

std::string markdown_assumptions(const Report& report) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& assumption : report.assumptions) {
    std::string evidence = cell(assumption.what);
    if (assumption.evidence) {
      evidence += (evidence.empty() ? "" : "; ") +
                  cell(assumption.evidence->operation + ": " + assumption.evidence->response) +
                  ' ' + code_cell(assumption.evidence->curl);
    }
    rows.push_back({std::string(to_text(assumption.state)), cell(name_of(assumption)),
                    cell(assumption.reason), evidence, assumption.evidence ? report.date : ""});
  }
  return spec::text::markdown_table(
             {"state", "assumption", "why it is assumed", "evidence", "date"}, rows)
      .text;
}

json row_json(const Row& row) {
  json made{{"verdict", to_text(row.verdict)},
            {"operation", row.operation},
            {"place", row.place},
            {"rule", row.rule},
            {"contract", row.contract},
            {"source", row.source},
            {"mock", row.mock},
            {"service", row.service},
            {"case", row.case_id},
            {"cases", row.cases},
            {"curl", row.curl}};
  if (row.verdict == RowVerdict::kServiceViolates) {
    made["severity"] = checks::to_text(row.severity);
  }
  if (row.fix) {
    made["fix"] = {{"file", row.fix->file}, {"text", row.fix->text}, {"changes", row.fix->changes}};
  }
  return made;
}

json assumption_json(const Assumption& assumption, const std::string& date) {
  json made{{"state", to_text(assumption.state)},
            {"place", assumption.place},
            {"reason", assumption.reason}};
  if (!assumption.pointer.empty()) {
    made["pointer"] = assumption.pointer;
  }
  if (!assumption.what.empty()) {
    made["what"] = assumption.what;
  }
  if (const auto& evidence = assumption.evidence) {
    made["evidence"] = {{"operation", evidence->operation},
                        {"case", evidence->case_id},
                        {"curl", evidence->curl},
                        {"response", evidence->response},
                        {"date", date}};
  }
  return made;
}

std::string untested_line(const Report& report) {
  const auto& why = report.compared.untested;
  return why.empty() ? "" : "little was tested: " + why + '\n';
}

}  // namespace

std::string report_text(const Report& report) {
  auto text = untested_line(report);
  for (const auto& row : report.compared.rows) {
    text += row_text(row);
  }
  text += "assumptions: " + state_counts(report) + '\n';
  for (const auto& assumption : report.assumptions) {
    text += assumption_line(assumption);
  }
  return text + left_out_text(report, "") + count_text(report);
}

std::string report_markdown(const Report& report) {
  return "# " + cell(report.contract) +
         ": contract, mock and service\n\nMock: " + cell(report.mock) +
         ". Service: " + cell(report.service) + ". " + report.date + ".\n" + untested_line(report) +
         count_text(report) + '\n' + markdown_rows(report) + markdown_fixes(report) +
         "\n## Assumptions: " + state_counts(report) + "\n\n" + markdown_assumptions(report) +
         "\n## Not compared\n\n" + left_out_text(report, "- ");
}

json report_json(const Report& report) {
  json counts;
  for (const auto verdict : kAllVerdicts) {
    counts[std::string(to_text(verdict))] =
        std::ranges::count(report.compared.rows, verdict, &Row::verdict);
  }
  json made{{"contract", report.contract},
            {"mock", report.mock},
            {"service", report.service},
            {"date", report.date},
            {"exit", report.exit},
            {"counts", std::move(counts)},
            {"cases", report.compared.cases},
            {"untested", report.compared.untested},
            {"notes", report.notes},
            {"not_compared", report.compared.left_out}};
  made["rows"] = json::array();
  for (const auto& row : report.compared.rows) {
    made["rows"].push_back(row_json(row));
  }
  made["assumptions"] = json::array();
  for (const auto& assumption : report.assumptions) {
    made["assumptions"].push_back(assumption_json(assumption, report.date));
  }
  return made;
}

namespace {

using checks::Finding;
using spec::contract::Statement;
using spec::contract::StatementClass;

// True if `pointer` leads to `above`, or into it.
bool is_inside(std::string_view pointer, std::string_view above) {
  return pointer.starts_with(above) &&
         (pointer.size() == above.size() || pointer[above.size()] == '/');
}

// True if the case tests the assumption. Every case about a parameter tests the name of the
// parameter.
bool is_about(const run::Case& item, const Statement& assumption) {
  const std::string_view pointer = assumption.pointer;
  const auto last = pointer.rfind('/');
  const auto token = pointer.substr(last == std::string_view::npos ? 0 : last);
  if (token == "/name" ||
      (token == "/allowEmptyValue" && item.basis.rule == "same/empty-parameter")) {
    return is_inside(item.basis.source.pointer, pointer.substr(0, last));
  }
  return is_inside(item.basis.source.pointer, pointer);
}

Witness witness_of_finding(const Finding& finding) {
  return {finding.operation, finding.case_id, finding.curl, finding.response};
}

Witness witness_of_case(const run::Case& item, const run::Outcome& outcome) {
  const auto& step = outcome.steps.front();
  return {item.operation_name, item.id, step.curl, step.response};
}

class AssumptionCheck {
 public:
  AssumptionCheck(const run::Plan& plan, const SideResults& service)
      : plan_(plan), service_(service) {}

  Assumption check(const Statement& statement) const {
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
      return !item.basis.source.pointer.empty() && !item.sends_nothing && is_about(item, statement);
    };
    if (!refute(refutes, made) && !confirm(about, made)) {
      if (const auto* witness = service_.side.witness(statement)) {
        made.state = AssumptionState::kConfirmed;
        made.evidence = *witness;
      }
    }
    return made;
  }

  // Checks the suite's rules that the cases or the findings are about.
  std::vector<Assumption> check_rules() const {
    std::map<std::string, std::string> rules;  // id -> clause
    const auto add = [&rules](const std::string& rule, const checks::Source& source) {
      if (source.statement_class == StatementClass::kAssumption && source.pointer.empty()) {
        rules.emplace(rule, source.clause);
      }
    };
    for (const auto& [index, outcome] : service_.outcomes) {
      add(plan_.cases[index].basis.rule, plan_.cases[index].basis.source);
      for (const auto& finding : outcome.findings) {
        add(finding.rule, finding.source);
      }
    }
    std::vector<Assumption> made;
    for (const auto& [rule, clause] : rules) {
      made.push_back({.place = rule, .reason = clause});
      const auto refutes = [&rule = rule](const Finding& finding) { return finding.rule == rule; };
      const auto about = [&rule = rule](const run::Case& item) { return item.basis.rule == rule; };
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
  const SideResults& service_;
};

}  // namespace

std::string_view to_text(AssumptionState state) {
  static constexpr std::array<std::string_view, 3> kTexts{"refuted", "confirmed", "not seen"};
  return kTexts.at(static_cast<std::size_t>(state));
}

std::vector<Assumption> check_assumptions(const spec::contract::Contract& contract,
                                          const run::Plan& plan, const SideResults& service) {
  const AssumptionCheck weighing(plan, service);
  std::vector<Assumption> all;
  for (const auto& statement : contract.assumptions()) {
    all.push_back(weighing.check(statement));
  }
  auto rules = weighing.check_rules();
  all.insert(all.end(), rules.begin(), rules.end());
  return all;
}

}  // namespace contract_tests::parity
