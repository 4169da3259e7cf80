#include "contract_tests/report/run_value.hpp"

#include <array>
#include <set>

namespace contract_tests::report {

using nlohmann::json;
using run::Outcome;
using run::Verdict;

namespace {

json finding_json(const checks::Finding& finding) {
  return {{"rule", finding.rule},
          {"severity", to_text(finding.severity)},
          {"class", spec::contract::to_text(finding.source.statement_class)},
          {"clause", finding.source.clause},
          {"pointer", finding.source.pointer},
          {"stated_at", finding.source.place},
          {"place", finding.place},
          {"message", finding.message},
          {"changed", finding.changed},
          {"answer", finding.answer},
          {"excerpt", finding.excerpt},
          {"curl", finding.curl},
          {"fingerprint", finding.fingerprint}};
}

json case_json(const plan::Case& item, const Outcome& outcome) {
  json value{{"id", item.id},
             {"operation", item.operation},
             {"operation_name", item.operation_name},
             {"sentence", item.sentence},
             {"rule", item.why.rule},
             {"clause", item.why.source.clause},
             {"class", spec::contract::to_text(item.why.source.statement_class)},
             {"verdict", to_text(outcome.verdict)},
             {"time_us", outcome.time.count()},
             {"findings", json::array()},
             {"steps", json::array()}};
  if (!outcome.reason.empty()) {
    value["reason"] = outcome.reason;
  }
  for (const auto& finding : outcome.findings) {
    value["findings"].push_back(finding_json(finding));
  }
  for (const auto& step : outcome.steps) {
    value["steps"].push_back({{"request", step.request},
                              {"status", step.status},
                              {"answer", step.answer},
                              {"curl", step.curl},
                              {"time_us", step.time.count()}});
  }
  return value;
}

struct Counts {
  std::array<std::size_t, 4> verdicts{};
  std::size_t requests = 0;
  std::array<std::size_t, 3> severities{};
};

Counts count(const Run& run) {
  Counts counts;
  for (const auto& [index, outcome] : run.outcomes) {
    ++counts.verdicts.at(static_cast<std::size_t>(outcome.verdict));
    counts.requests += outcome.steps.size();
    for (const auto& finding : outcome.findings) {
      ++counts.severities.at(static_cast<std::size_t>(finding.severity));
    }
  }
  return counts;
}

// Operations of which cases were selected and none ran.
std::set<std::string> silent_operations(const Run& run) {
  std::set<std::string> selected;
  std::set<std::string> ran;
  for (const auto& [index, outcome] : run.outcomes) {
    const auto& item = run.plan.cases.at(index);
    selected.insert(item.operation_name);
    const bool asked = outcome.verdict == Verdict::kKept || outcome.verdict == Verdict::kBroken;
    if (asked && item.procedure != "tally") {
      ran.insert(item.operation_name);
    }
  }
  for (const auto& name : ran) {
    selected.erase(name);
  }
  return selected;
}

}  // namespace

Exit exit_of(const Run& run) {
  const auto counts = count(run);
  if (counts.verdicts.at(static_cast<std::size_t>(Verdict::kBroken)) > 0) {
    return Exit::kBroken;
  }
  const bool undecided = counts.verdicts.at(static_cast<std::size_t>(Verdict::kInconclusive)) > 0;
  if (undecided || run.interrupted || run.outcomes.empty() || !silent_operations(run).empty()) {
    return Exit::kInconclusive;
  }
  return Exit::kKept;
}

json to_json(const Run& run) {
  const auto counts = count(run);
  json value{
      {"run", 1},
      {"base_url", run.base_url},
      {"target", run.target},
      {"contract", run.contract},
      {"document_only", run.document_only},
      {"plan",
       {{"hash", run.plan.hash()}, {"seed", run.plan.seed}, {"cases", run.plan.cases.size()}}},
      {"started", run.started},
      {"exit", static_cast<int>(exit_of(run))},
      {"counts",
       {{"kept", counts.verdicts[0]},
        {"broken", counts.verdicts[1]},
        {"inconclusive", counts.verdicts[2]},
        {"not_run", counts.verdicts[3]},
        {"requests", counts.requests},
        {"notes", counts.severities[0]},
        {"warnings", counts.severities[1]},
        {"errors", counts.severities[2]}}},
      {"operations_without_a_case_run", silent_operations(run)},
      {"problems", run.problems},
      {"cases", json::array()}};
  for (const auto& [index, outcome] : run.outcomes) {
    value["cases"].push_back(case_json(run.plan.cases.at(index), outcome));
  }
  return value;
}

}  // namespace contract_tests::report
