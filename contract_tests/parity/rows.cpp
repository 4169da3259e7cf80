#include "contract_tests/parity/rows.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::parity {

namespace {

using checks::Finding;

constexpr std::array kSideVerdicts{Verdict::kServiceViolates, Verdict::kMockDiffers,
                                   Verdict::kContractIsSilent, Verdict::kCannotTell};

std::string source_text(const checks::Source& source) {
  return std::string(to_text(source.statement_class)) + ' ' + source.clause +
         (source.place.empty() ? "" : " (" + source.place + ')');
}

bool is_violation(const Finding& finding) {
  return finding.severity != checks::Severity::kNote;
}

// The violation of the same statement at the same place; null if there is none.
const Finding* same_in(const run::Outcome& outcome, const Finding& finding) {
  const auto found = std::ranges::find_if(outcome.findings, [&finding](const Finding& other) {
    return is_violation(other) && kind_of(other) == kind_of(finding);
  });
  return found == outcome.findings.end() ? nullptr : &*found;
}

std::string seen(const Finding& finding) {
  return finding.place + ' ' + finding.message;
}

std::string side_text(const run::Outcome& outcome) {
  return std::string(to_text(outcome.verdict)) +
         (outcome.reason.empty() ? "" : ": " + outcome.reason);
}

bool could_run(const run::Outcome& outcome) {
  return outcome.verdict != run::Verdict::kInconclusive &&
         outcome.verdict != run::Verdict::kSkipped;
}

// What cannot be compared, or is done in two ways that the contract allows.
void add_difference(const run::Case& item, const run::Outcome& mock, const run::Outcome& service,
                    std::vector<Row>& rows) {
  Row row{.case_id = item.id,
          .contract = source_text(item.why.source),
          .mock = side_text(mock),
          .service = side_text(service),
          .curl = service.steps.empty() ? "" : service.steps.front().curl};
  if (!could_run(mock) || !could_run(service)) {
    if (!mock.not_allowed && !service.not_allowed) {
      rows.push_back(std::move(row));
    }
    return;
  }
  const bool both_sent = !mock.steps.empty() && !service.steps.empty();
  if (both_sent && mock.steps.front().status != service.steps.front().status) {
    row.verdict = Verdict::kContractIsSilent;
    row.mock = mock.steps.front().response;
    row.service = service.steps.front().response;
    rows.push_back(std::move(row));
  }
}

void add_case(const run::Case& item, const run::Outcome& mock, const run::Outcome& service,
              std::vector<Row>& rows) {
  const auto before = rows.size();
  for (const auto& finding : service.findings) {
    if (is_violation(finding)) {
      const auto* of_mock = same_in(mock, finding);
      rows.push_back({Verdict::kServiceViolates, item.id, source_text(finding.source),
                      of_mock == nullptr ? side_text(mock) : seen(*of_mock), seen(finding),
                      finding.curl});
    }
  }
  for (const auto& finding : mock.findings) {
    if (is_violation(finding) && same_in(service, finding) == nullptr) {
      rows.push_back({Verdict::kMockDiffers, item.id, source_text(finding.source), seen(finding),
                      side_text(service), finding.curl});
    }
  }
  if (rows.size() == before) {
    add_difference(item, mock, service, rows);
  }
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kServiceViolates: return "service violates";
    case Verdict::kMockDiffers: return "mock differs";
    case Verdict::kContractIsSilent: return "contract is silent";
    case Verdict::kCannotTell: break;
  }
  return "cannot tell";
}

std::vector<Row> compare_sides(const run::Plan& plan, const Outcomes& mock,
                               const Outcomes& service) {
  std::vector<Row> rows;
  for (const auto& [index, outcome] : service) {
    if (const auto other = mock.find(index); other != mock.end()) {
      add_case(plan.cases[index], other->second, outcome, rows);
    }
  }
  return rows;
}

std::string rows_text(const std::vector<Row>& rows) {
  std::string text;
  for (const auto& row : rows) {
    text += std::string(to_text(row.verdict)) + ": " + row.case_id +
            "\n  contract: " + row.contract + "\n  mock:     " + row.mock +
            "\n  service:  " + row.service + '\n' +
            (row.curl.empty() ? "" : "  " + row.curl + '\n');
  }
  for (const auto verdict : kSideVerdicts) {
    text += std::string(to_text(verdict)) + ' ' +
            std::to_string(std::ranges::count(rows, verdict, &Row::verdict)) +
            (verdict == Verdict::kCannotTell ? "\n" : ", ");
  }
  return text;
}

int exit_of(const std::vector<Row>& rows) {
  const auto has = [&rows](Verdict verdict) {
    return std::ranges::find(rows, verdict, &Row::verdict) != rows.end();
  };
  if (has(Verdict::kServiceViolates) || has(Verdict::kMockDiffers)) {
    return 1;
  }
  return has(Verdict::kCannotTell) ? 3 : 0;
}

}  // namespace contract_tests::parity
