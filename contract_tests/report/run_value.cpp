#include "contract_tests/report/run_value.hpp"

#include "contract_tests/report/causes.hpp"
#include "contract_tests/report/exchange_value.hpp"
#include "contract_tests/report/planned_value.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace contract_tests::report {

using nlohmann::json;
using run::Outcome;
using run::Verdict;

namespace {

// The limits of a report, in bytes of compact JSON: so much can be read in a browser, and a run in
// which everything fails needs no more.
constexpr std::size_t kMaxExchanges = 2'000'000;
constexpr std::size_t kMaxCases = 3'000'000;
constexpr std::size_t kMaxCauses = 1'000;

constexpr std::string_view kLeans = "leans on a case that failed";

// In the page, where "<" is \u003c.
std::size_t bytes_of(const json& value) {
  const auto text = spec::json::write(value);
  return text.size() + 5 * static_cast<std::size_t>(std::ranges::count(text, '<'));
}

// Exchanges that findings point at, each once, in the order in which they are met. A run in which
// everything fails shows the first ones: the rest still have their curl lines.
class Exchanges {
 public:
  explicit Exchanges(const Run& run) : run_(run) {}

  std::optional<std::size_t> index_of(const checks::Finding& finding) {
    const auto* shown = finding.shown.get();
    if (const auto known = indices_.find(shown); known != indices_.end()) {
      return known->second;
    }
    if (shown == nullptr || bytes_ >= kMaxExchanges) {
      return std::nullopt;
    }
    const auto read = run_.exchanges.find(shown);
    auto value = read == run_.exchanges.end() ? exchange_json(*shown) : read->second;
    const auto size = bytes_of(value);
    if (bytes_ + size > kMaxExchanges) {
      return std::nullopt;
    }
    bytes_ += size;
    indices_[shown] = values_.size();
    values_.push_back(std::move(value));
    return values_.size() - 1;
  }

  json take() { return std::move(values_); }

 private:
  const Run& run_;
  std::map<const client::Exchange*, std::size_t> indices_;
  std::size_t bytes_ = 0;
  json values_ = json::array();
};

json steps_json(const Outcome& outcome) {
  auto steps = json::array();
  for (const auto& step : outcome.steps) {
    steps.push_back({{"request", step.request},
                     {"status", step.status},
                     {"response", step.response},
                     {"curl", step.curl},
                     {"time_us", step.time.count()},
                     {"hash", step.hash}});
  }
  return steps;
}

json findings_json(const Outcome& outcome, const Causes& causes, Exchanges& exchanges) {
  auto findings = json::array();
  for (const auto& finding : outcome.findings) {
    auto& added = findings.emplace_back(to_json(finding));
    if (const auto cause = causes.index_of(finding); cause < kMaxCauses) {
      added["cause"] = cause;
    }
    if (const auto index = exchanges.index_of(finding)) {
      added["exchange"] = *index;
    }
    if (const auto met = outcome.met.find(finding.fingerprint); met != outcome.met.end()) {
      added["met"] = met->second;
    }
  }
  return findings;
}

json case_json(const run::Case& item, const Outcome& outcome, json findings) {
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
             {"findings", std::move(findings)},
             {"steps", steps_json(outcome)}};
  if (!outcome.leans_on.empty()) {
    value["leans_on"] = outcome.leans_on;
  }
  if (outcome.repeats.of > 0) {
    value["repeats"] = {{"of", outcome.repeats.of},
                        {"passed", outcome.repeats.passed},
                        {"failed", outcome.repeats.failed}};
  }
  return value;
}

// Cases one by one, in the plan's order: those with findings or without a verdict first of all,
// then those that passed, as far as the limit goes. Skipped ones are counted by reason instead.
void add_cases(const Run& run, const Causes& causes, json& value) {
  Exchanges exchanges(run);
  std::map<std::size_t, json> listed;
  std::size_t bytes = 0;
  std::size_t left_out = 0;
  for (const bool plain : {false, true}) {
    for (const auto& [index, outcome] : run.outcomes) {
      const bool says_nothing = outcome.findings.empty();
      const bool passed = outcome.verdict == Verdict::kPassed && says_nothing;
      if (run.unlisted.contains(index)) {
        left_out += plain ? 0 : 1;
        continue;
      }
      if ((outcome.verdict == Verdict::kSkipped && says_nothing) || passed != plain) {
        continue;
      }
      const auto& planned = run.plan.cases.at(index);
      auto item = bytes < kMaxCases
                      ? case_json(planned, outcome, findings_json(outcome, causes, exchanges))
                      : json();
      if (!plain && !item.is_null()) {
        const auto read = run.planned.find(index);
        item["planned"] =
            read != run.planned.end() ? read->second : planned_json(planned, outcome, run.secrets);
      }
      bytes += item.is_null() ? 0 : bytes_of(item);
      if (item.is_null() || bytes > kMaxCases) {
        ++left_out;
      } else {
        listed[index] = std::move(item);
      }
    }
  }
  value["cases"] = json::array();
  for (auto& [index, item] : listed) {
    value["cases"].push_back(std::move(item));
  }
  value["exchanges"] = exchanges.take();
  if (left_out > 0) {
    value["cases_left_out"] = left_out;
  }
}

json causes_json(const Causes& causes) {
  auto all = json::array();
  for (const auto& cause : causes.all()) {
    if (all.size() < kMaxCauses) {
      all.push_back(to_json(cause));
    }
  }
  return all;
}

using ReasonKey = std::tuple<Verdict, std::string>;

// What a skipped or inconclusive case is counted by.
std::optional<ReasonKey> reason_of(const Outcome& outcome) {
  if (outcome.verdict != Verdict::kSkipped && outcome.verdict != Verdict::kInconclusive) {
    return std::nullopt;
  }
  return ReasonKey{outcome.verdict,
                   outcome.leans_on.empty() ? outcome.reason : std::string(kLeans)};
}

// Why cases were skipped or are inconclusive: the most frequent reasons first.
json reasons_json(const Run& run) {
  std::map<ReasonKey, std::map<std::string, std::size_t>> reasons;
  for (const auto& [index, outcome] : run.outcomes) {
    if (const auto reason = reason_of(outcome)) {
      ++reasons[*reason][run.plan.cases.at(index).operation_name];
    }
  }
  auto all = json::array();
  for (const auto& [key, operations] : reasons) {
    std::size_t cases = 0;
    for (const auto& [name, count] : operations) {
      cases += count;
    }
    all.push_back({{"verdict", to_text(std::get<Verdict>(key))},
                   {"reason", std::get<std::string>(key)},
                   {"cases", cases},
                   {"operations", operations}});
  }
  std::stable_sort(all.begin(), all.end(), [](const json& one, const json& other) {
    return one.at("cases") > other.at("cases");
  });
  return all;
}

std::vector<FindingMark> marks_of(const Run& run, std::size_t index, const Outcome& outcome) {
  const auto unlisted = run.unlisted.find(index);
  auto marks = unlisted == run.unlisted.end() ? std::vector<FindingMark>() : unlisted->second;
  for (const auto& finding : outcome.findings) {
    marks.push_back({finding.severity, finding.fingerprint});
  }
  return marks;
}

json every_case_json(const Run& run, const json& reasons) {
  std::map<std::pair<std::string, std::string>, std::size_t> indices;
  for (std::size_t at = 0; at < reasons.size(); ++at) {
    indices[{reasons[at].at("verdict"), reasons[at].at("reason")}] = at;
  }
  std::vector<RanCase> cases;
  for (const auto& [index, outcome] : run.outcomes) {
    const auto& item = run.plan.cases.at(index);
    auto& added = cases.emplace_back();
    added.index = index;
    added.id = item.id;
    added.operation = item.operation;
    added.operation_name = item.operation_name;
    added.verdict = outcome.verdict;
    added.time = outcome.time;
    if (const auto reason = reason_of(outcome)) {
      const auto& [verdict, text] = *reason;
      added.reason = indices.at({std::string(to_text(verdict)), text});
    }
    added.findings = marks_of(run, index, outcome);
    added.not_allowed = outcome.not_allowed;
    added.sends_nothing = item.sends_nothing;
    added.before_service = item.expect.gateway || item.undeclared_method;
  }
  return ran_json(cases);
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
    for (const auto& mark : marks_of(run, index, outcome)) {
      ++counts.severities.at(static_cast<std::size_t>(mark.severity));
    }
  }
  return counts;
}

// Operations that no selected case reached, or none but those that something before the service
// may reject (unknown identifiers, undeclared methods).
struct Unreached {
  std::set<std::string> silent;       // a case of theirs should have run: a subject is missing, say
  std::set<std::string> not_covered;  // the run may not call them
};

Unreached unreached(const Run& run) {
  std::set<std::string> reached;
  Unreached found;
  for (const auto& [index, outcome] : run.outcomes) {
    const auto& item = run.plan.cases.at(index);
    const bool asked = outcome.verdict == Verdict::kPassed || outcome.verdict == Verdict::kFailed;
    if (!asked || item.sends_nothing) {
      (outcome.not_allowed ? found.not_covered : found.silent).insert(item.operation_name);
    } else if (!item.expect.gateway && !item.undeclared_method) {
      reached.insert(item.operation_name);
    }
  }
  std::erase_if(found.silent, [&](const auto& name) { return reached.contains(name); });
  std::erase_if(found.not_covered, [&](const auto& name) {
    return reached.contains(name) || found.silent.contains(name);
  });
  if (run.shard) {
    found.silent.clear();
  }
  return found;
}

// Of a shard, what no case reached or covered, another shard may: merging decides about that.
bool nothing_ran(const Run& run, const Counts& counts) {
  return !run.shard && counts.verdicts[0] + counts.verdicts[1] + counts.verdicts[2] == 0;
}

std::string percent(double value) {
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.1f %%", value);
  return {text.data(), static_cast<std::size_t>(size)};
}

// "" when as much was covered as was asked for.
std::string missing_coverage(const Run& run) {
  if (run.shard || run.coverage.percent() >= run.min_coverage) {
    return {};
  }
  return "coverage is " + percent(run.coverage.percent()) + " of the contract (" +
         std::to_string(run.coverage.seen()) + " of " + std::to_string(run.coverage.points()) +
         " points); --min-coverage requires " + percent(run.min_coverage);
}

// What happened to the run as a whole, the headlines first.
std::vector<std::string> problems_of(const Run& run, const Counts& counts) {
  auto problems = run.headlines;
  if (problems.empty() && nothing_ran(run, counts)) {
    problems.emplace_back("no case ran");
  }
  if (auto missing = missing_coverage(run); !missing.empty()) {
    problems.push_back(std::move(missing));
  }
  return problems;
}

json settings_json(const RunSettings& settings, double min_coverage) {
  return {{"tolerate", settings.tolerate},
          {"allow_writes", settings.allow_writes},
          {"allow_writes_to", settings.allow_writes_to},
          {"sandbox", settings.sandbox},
          {"allow_live", settings.allow_live},
          {"allow_probes", settings.allow_probes},
          {"allow_burst", settings.allow_burst},
          {"filter", settings.filter},
          {"repeat", settings.repeat},
          {"max_requests", settings.max_requests},
          {"min_coverage", min_coverage},
          {"subjects", settings.subjects}};
}

// `with_values`: the values of enumerations too, so that the coverage of shards can be joined.
json operation_json(const spec::contract::OperationCoverage& operation, bool with_values) {
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
      auto& values = value[plural(point.kind)]["values"][point.text];
      values = {{"seen", point.values_seen.size()}, {"of", point.values}};
      if (with_values) {
        values["shown"] = point.values_seen;
      }
    }
  }
  return value;
}

json coverage_json(const spec::contract::CoverageReport& coverage, bool with_values) {
  json operations = json::object();
  for (const auto& operation : coverage.operations) {
    operations[operation.id] = operation_json(operation, with_values);
  }
  return {{"points", coverage.points()}, {"seen", coverage.seen()}, {"operations", operations}};
}

// What the rules that findings have require.
json rules_json(const Run& run) {
  auto rules = json::object();
  for (const auto& [index, outcome] : run.outcomes) {
    for (const auto& finding : outcome.findings) {
      const auto* rule = run.book == nullptr || rules.contains(finding.rule)
                             ? nullptr
                             : plan::find_rule(*run.book, finding.rule);
      if (rule != nullptr) {
        rules[finding.rule] = {{"says", rule->says},
                               {"class", spec::contract::to_text(rule->rests.statement_class)},
                               {"clause", rule->rests.clause}};
      }
    }
  }
  return rules;
}

json writes_json(const Run& run) {
  json left = json::array();
  for (const auto& [what, curl] : run.not_put_back) {
    left.push_back({{"what", what}, {"curl", curl}});
  }
  return {{"records", run.records}, {"not_put_back", std::move(left)}};
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
  if (undecided || run.interrupted || !run.headlines.empty() || nothing_ran(run, counts) ||
      !unreached(run).silent.empty() || !missing_coverage(run).empty()) {
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
  const auto operations = unreached(run);
  const Causes causes(run.plan, run.outcomes);
  json value{
      {"run", kRunVersion},
      {"version", run.version},
      {"contract_hash", run.contract_hash},
      {"base_url", run.base_url},
      {"target", run.target},
      {"contract", run.contract},
      {"contract_file",
       {{"path", run.contract_file.path}, {"in_repository", run.contract_file.in_repository}}},
      {"document_only", run.document_only},
      {"inputs", run.inputs},
      {"settings", settings_json(run.settings, run.min_coverage)},
      {"plan",
       {{"hash", run.plan_hash.empty() ? run.plan.hash() : run.plan_hash},
        {"basis", run.basis},
        {"seed", run.plan.seed},
        {"cases", run.plan.cases.size()},
        {"left_out", run.plan.left_out}}},
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
      {"operations_without_a_case_run", operations.silent},
      {"operations_not_covered", operations.not_covered},
      {"headlines", run.headlines},
      {"problems", problems_of(run, counts)},
      {"writes", writes_json(run)},
      {"waits", {{"waited_ms", run.waited.count()}, {"max_ms", run.max_wait.count()}}},
      {"coverage", coverage_json(run.coverage, run.shard.has_value())},
      {"causes", causes_json(causes)},
      {"rules", rules_json(run)},
      {"reasons", reasons_json(run)}};
  if (run.shard) {
    value["shard"] = {{"index", run.shard->index}, {"of", run.shard->of}};
  }
  value["ran"] = every_case_json(run, value.at("reasons"));
  add_cases(run, causes, value);
  return value;
}

}  // namespace contract_tests::report
