#include "contract_tests/report/run_value.hpp"

#include "contract_tests/report/exchange_value.hpp"

#include <array>
#include <cstdio>
#include <optional>
#include <set>

namespace contract_tests::report {

using nlohmann::json;
using run::Outcome;
using run::Verdict;

namespace {

// Exchanges that findings point at, each once, in the order in which they are met. A run in which
// everything fails shows the first ones whole: the rest still have their curl lines.
class Exchanges {
 public:
  std::optional<std::size_t> index_of(const checks::Finding& finding) {
    constexpr std::size_t kMax = 400;
    const auto* shown = finding.shown.get();
    const auto known = indices_.find(shown);
    if (shown == nullptr || known != indices_.end() || values_.size() == kMax) {
      return shown == nullptr || known == indices_.end() ? std::nullopt
                                                         : std::optional(known->second);
    }
    indices_[shown] = values_.size();
    values_.push_back(exchange_json(*shown));
    return values_.size() - 1;
  }

  json take() { return std::move(values_); }

 private:
  std::map<const client::Exchange*, std::size_t> indices_;
  json values_ = json::array();
};

json case_json(const run::Case& item, const Outcome& outcome, Exchanges& exchanges) {
  json value{{"id", item.id},
             {"operation", item.operation},
             {"operation_name", item.operation_name},
             {"sentence", item.sentence},
             {"rule", item.why.rule},
             {"clause", item.why.source.clause},
             {"class", spec::contract::to_text(item.why.source.statement_class)},
             {"verdict", to_text(outcome.verdict)},
             {"reason", outcome.reason},
             {"time_us", outcome.time.count()},
             {"findings", json::array()},
             {"steps", json::array()}};
  if (!outcome.leans_on.empty()) {
    value["leans_on"] = outcome.leans_on;
  }
  if (outcome.repeats.of > 0) {
    value["repeats"] = {{"of", outcome.repeats.of},
                        {"passed", outcome.repeats.passed},
                        {"failed", outcome.repeats.failed}};
  }
  for (const auto& finding : outcome.findings) {
    auto& added = value["findings"].emplace_back(to_json(finding));
    if (const auto index = exchanges.index_of(finding)) {
      added["exchange"] = *index;
    }
    if (const auto met = outcome.met.find(finding.fingerprint); met != outcome.met.end()) {
      added["met"] = met->second;
    }
  }
  for (const auto& step : outcome.steps) {
    value["steps"].push_back({{"request", step.request},
                              {"status", step.status},
                              {"response", step.response},
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

// Operations of which no selected case ran, or none but those that something before the service may
// reject (unknown identifiers, undeclared methods), while others lacked what they
// need.
std::set<std::string> silent_operations(const Run& run) {
  std::set<std::string> reached;
  std::set<std::string> lacking;
  for (const auto& [index, outcome] : run.outcomes) {
    const auto& item = run.plan.cases.at(index);
    const bool asked = outcome.verdict == Verdict::kPassed || outcome.verdict == Verdict::kFailed;
    if (!asked || item.sends_nothing) {
      lacking.insert(item.operation_name);
    } else if (!item.expect.gateway && !item.undeclared_method) {
      reached.insert(item.operation_name);
    }
  }
  std::erase_if(lacking, [&](const std::string& name) { return reached.contains(name); });
  return lacking;
}

std::string percent(double value) {
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.1f %%", value);
  return {text.data(), static_cast<std::size_t>(size)};
}

// "" when as much was covered as was asked for.
std::string missing_coverage(const Run& run) {
  if (run.coverage.percent() >= run.min_coverage) {
    return {};
  }
  return "coverage is " + percent(run.coverage.percent()) + " of the contract (" +
         std::to_string(run.coverage.seen()) + " of " + std::to_string(run.coverage.points()) +
         " points); --min-coverage requires " + percent(run.min_coverage);
}

json operation_json(const spec::contract::OperationCoverage& operation) {
  json value = json::object();
  for (const auto kind : spec::contract::kPointKinds) {
    if (kind != spec::contract::PointKind::kOperation) {
      value[plural(kind)] = {{"seen", json::array()}, {"unseen", json::array()}};
    }
  }
  for (const auto& point : operation.points) {
    if (point.kind == spec::contract::PointKind::kOperation) {
      value["called"] = point.seen;
      continue;
    }
    value[plural(point.kind)][point.seen ? "seen" : "unseen"].push_back(point.text);
    if (point.values != 0) {
      value[plural(point.kind)]["values"][point.text] = {{"seen", point.values_seen},
                                                         {"of", point.values}};
    }
  }
  return value;
}

json coverage_json(const spec::contract::CoverageReport& coverage) {
  json operations = json::object();
  for (const auto& operation : coverage.operations) {
    operations[operation.id] = operation_json(operation);
  }
  return {{"points", coverage.points()}, {"seen", coverage.seen()}, {"operations", operations}};
}

}  // namespace

Exit exit_of(const Run& run) {
  if (run.unusable) {
    return Exit::kUnusable;
  }
  const auto counts = count(run);
  if (counts.verdicts.at(static_cast<std::size_t>(Verdict::kFailed)) > 0) {
    return Exit::kFailed;
  }
  const bool undecided = counts.verdicts.at(static_cast<std::size_t>(Verdict::kInconclusive)) > 0;
  if (undecided || run.interrupted || !run.headlines.empty() || run.outcomes.empty() ||
      !silent_operations(run).empty() || !missing_coverage(run).empty()) {
    return Exit::kInconclusive;
  }
  return Exit::kPassed;
}

std::string_view to_text(Exit exit) {
  static constexpr std::array<std::string_view, 4> kTexts{"passed", "failed", "unusable",
                                                          "inconclusive"};
  return kTexts.at(static_cast<std::size_t>(exit));
}

json to_json(const checks::Finding& finding) {
  json value{{"rule", finding.rule},
             {"severity", to_text(finding.severity)},
             {"class", spec::contract::to_text(finding.source.statement_class)},
             {"clause", finding.source.clause},
             {"pointer", finding.source.pointer},
             {"stated_at", finding.source.place},
             {"place", finding.place},
             {"message", finding.message},
             {"changed", finding.changed},
             {"response", finding.response},
             {"excerpt", finding.excerpt},
             {"curl", finding.curl},
             {"fingerprint", finding.fingerprint}};
  if (!finding.operations.empty()) {
    value["operations"] = finding.operations;
  }
  return value;
}

json to_json(const Run& run) {
  const auto counts = count(run);
  std::vector<std::string> problems = run.headlines;
  if (auto missing = missing_coverage(run); !missing.empty()) {
    problems.push_back(std::move(missing));
  }
  json value{
      {"run", 2},
      {"base_url", run.base_url},
      {"target", run.target},
      {"contract", run.contract},
      {"document_only", run.document_only},
      {"plan",
       {{"hash", run.plan.hash()}, {"seed", run.plan.seed}, {"cases", run.plan.cases.size()}}},
      {"started", run.started},
      {"time_us", run.time.count()},
      {"interrupted", run.interrupted},
      {"exit", static_cast<int>(exit_of(run))},
      {"verdict", to_text(exit_of(run))},
      {"counts",
       {{"passed", counts.verdicts[0]},
        {"failed", counts.verdicts[1]},
        {"inconclusive", counts.verdicts[2]},
        {"skipped", counts.verdicts[3]},
        {"requests", run.requests.value_or(counts.requests)},
        {"notes", counts.severities[0]},
        {"warnings", counts.severities[1]},
        {"errors", counts.severities[2]}}},
      {"operations_without_a_case_run", silent_operations(run)},
      {"problems", problems},
      {"writes", {{"records", run.records}, {"not_put_back", run.not_put_back}}},
      {"waits", {{"waited_ms", run.waited.count()}, {"max_ms", run.max_wait.count()}}},
      {"coverage", coverage_json(run.coverage)},
      {"cases", json::array()}};
  Exchanges exchanges;
  for (const auto& [index, outcome] : run.outcomes) {
    value["cases"].push_back(case_json(run.plan.cases.at(index), outcome, exchanges));
  }
  value["exchanges"] = exchanges.take();
  return value;
}

}  // namespace contract_tests::report
