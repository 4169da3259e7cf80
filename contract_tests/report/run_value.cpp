#include "contract_tests/report/run_value.hpp"

#include "contract_tests/findings/causes.hpp"
#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/baseline_value.hpp"
#include "contract_tests/report/run_cases.hpp"
#include "contract_tests/report/tested_kinds.hpp"
#include "spec/contract/checking/contract_coverage.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::report {

using findings::text_of;
using nlohmann::json;
using run::Outcome;
using run::Verdict;
using spec::contract::OperationCoverage;
using spec::contract::PointKind;

namespace {

json operation_json(const OperationCoverage& operation, bool with_values) {
  json value = json::object();
  for (const auto kind : spec::contract::kPointKinds) {
    if (kind != PointKind::kOperation) {
      value[plural(kind)] = {{"seen", json::array()}, {"unseen", json::array()}};
    }
  }
  for (const auto& point : operation.points) {
    if (point.kind == PointKind::kOperation) {
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

void add_points(PointKind kind, const json& value, OperationCoverage& operation) {
  for (const bool seen : {true, false}) {
    for (const auto& text : value.at(seen ? "seen" : "unseen")) {
      auto& point = operation.points.emplace_back();
      point.kind = kind;
      point.text = text.get<std::string>();
      point.seen = seen;
      const auto values = value.value("values", json::object()).value(point.text, json());
      if (values.is_object()) {
        point.values = values.at("of").get<std::size_t>();
        point.values_seen =
            values.value("shown", std::vector<std::string>(values.at("seen").get<std::size_t>()));
      }
    }
  }
}

// `with_values`: the values of enumerations too, so that the coverage of shards can be joined.
json coverage_json(const spec::contract::CoverageReport& coverage, bool with_values) {
  json operations = json::object();
  for (const auto& operation : coverage.operations) {
    operations[operation.id] = operation_json(operation, with_values);
  }
  return {{"points", coverage.points()}, {"seen", coverage.seen()}, {"operations", operations}};
}

// Without the values of enumerations, their number is right.
spec::contract::CoverageReport coverage_from(const json& value) {
  spec::contract::CoverageReport coverage;
  for (const auto& [id, operation] : value.at("operations").items()) {
    auto& added = coverage.operations.emplace_back();
    added.id = id;
    added.points.push_back({PointKind::kOperation, "", operation.at("called").get<bool>(), 0, {}});
    for (const auto kind : spec::contract::kPointKinds) {
      if (kind != PointKind::kOperation) {
        add_points(kind, operation.at(std::string(plural(kind))), added);
      }
    }
  }
  return coverage;
}

json causes_json(const findings::Causes& causes) {
  auto all = json::array();
  for (const auto& cause : causes.all()) {
    if (all.size() < kMaxCauses) {
      all.push_back(to_json(cause));
    }
  }
  return all;
}

struct Counts {
  std::array<std::size_t, run::kVerdicts> verdicts{};
  std::size_t requests = 0;
  std::array<std::size_t, 3> severities{};

  std::size_t of_verdict(Verdict verdict) const {
    return verdicts.at(static_cast<std::size_t>(verdict));
  }
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

// Operations that no selected case reached, or none but those that something before the service
// may reject (unknown identifiers, undeclared methods).
struct UnreachedOperations {
  std::set<std::string> silent;       // a case of theirs should have run: a subject is missing, say
  std::set<std::string> not_covered;  // the run may not call them
};

UnreachedOperations unreached_operations(const Run& run) {
  std::set<std::string> reached;
  UnreachedOperations found;
  for (const auto& [index, outcome] : run.outcomes) {
    const auto& item = run.plan.cases.at(index);
    const bool asked = outcome.verdict == Verdict::kPassed || outcome.verdict == Verdict::kFailed ||
                       outcome.verdict == Verdict::kKnown;
    if (item.sends_nothing) {
      continue;  // it looks at the others, and says nothing of whether these should have run
    }
    if (!asked) {
      (outcome.reason.is_not_allowed() ? found.not_covered : found.silent)
          .insert(item.operation_name);
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

bool never_fails(const Run& run) {
  return run.settings.fail_on == "never";
}

// True if a case is inconclusive; not if its cause is a case whose findings are known or fail
// nothing.
bool is_undecided(const Run& run) {
  auto known = cases_of(run, Verdict::kKnown);
  if (never_fails(run)) {
    known.merge(cases_of(run, Verdict::kFailed));
  }
  return std::ranges::any_of(run.outcomes, [&known](const auto& entry) {
    const auto& outcome = entry.second;
    return outcome.verdict == Verdict::kInconclusive && !known.contains(outcome.reason.caused_by);
  });
}

// For a shard always false: another shard may reach or cover it, and merging decides.
bool nothing_ran(const Run& run, const Counts& counts) {
  return !run.shard && counts.of_verdict(Verdict::kPassed) + counts.of_verdict(Verdict::kFailed) +
                               counts.of_verdict(Verdict::kKnown) +
                               counts.of_verdict(Verdict::kInconclusive) ==
                           0;
}

// "" when as much was covered as was asked for.
std::string missing_coverage(const Run& run) {
  if (run.shard || run.coverage.percent() >= run.min_coverage) {
    return {};
  }
  const auto seen = run.coverage.seen();
  const auto points = run.coverage.points();
  return "coverage is " + spec::contract::percent_text(seen, points) + " % of the contract (" +
         std::to_string(seen) + " of " + std::to_string(points) +
         " points); --min-coverage requires " + json(run.min_coverage).dump() + " %";
}

// The problems of the run as a whole, the headlines first.
std::vector<std::string> problems_of(const Run& run, const Counts& counts) {
  auto problems = run.headlines;
  if (problems.empty() && nothing_ran(run, counts)) {
    problems.emplace_back("no case ran");
  }
  if (auto missing = missing_coverage(run); !missing.empty()) {
    problems.push_back(std::move(missing));
  }
  if (run.baseline && run.baseline->fails()) {
    problems.push_back(
        "the baseline has entries that are fixed, and --baseline-strict is given; "
        "drop them with --baseline-prune");
  }
  return problems;
}

json settings_json(const RunSettings& settings, double min_coverage) {
  json value = settings;
  value["min_coverage"] = min_coverage;
  return value;
}

// The rules of the findings, by id.
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
  json writes{{"records", run.records}, {"not_put_back", std::move(left)}};
  if (!run.unverified.empty()) {
    writes["unverified"] = run.unverified;
  }
  return writes;
}

void read_writes(const json& writes, Run& run) {
  run.records = writes.at("records").get<std::size_t>();
  for (const auto& left : writes.at("not_put_back")) {
    run.not_put_back.push_back({text_of(left, "what"), text_of(left, "curl")});
  }
  run.unverified = writes.value("unverified", std::vector<std::string>());
}

json counts_json(const Counts& counts, const Run& run) {
  return {{"passed", counts.of_verdict(Verdict::kPassed)},
          {"failed", counts.of_verdict(Verdict::kFailed)},
          {"inconclusive", counts.of_verdict(Verdict::kInconclusive)},
          {"skipped", counts.of_verdict(Verdict::kSkipped)},
          {"requests", run.requests.value_or(counts.requests)},
          {"notes", counts.severities[0]},
          {"warnings", counts.severities[1]},
          {"errors", counts.severities[2]}};
}

}  // namespace

Exit exit_of(const Run& run) {
  if (run.unusable) {
    return Exit::kUnusable;
  }
  const auto counts = count(run);
  if ((counts.of_verdict(Verdict::kFailed) > 0 && !never_fails(run)) ||
      (run.baseline && run.baseline->fails())) {
    return Exit::kFailed;
  }
  if (is_undecided(run) || run.interrupted || !run.headlines.empty() || nothing_ran(run, counts) ||
      !unreached_operations(run).silent.empty() || !missing_coverage(run).empty()) {
    return Exit::kInconclusive;
  }
  return Exit::kPassed;
}

std::string_view to_text(Exit exit) {
  static constexpr std::array<std::string_view, 4> kTexts{"passed", "failed", "unusable",
                                                          "inconclusive"};
  return kTexts.at(static_cast<std::size_t>(exit));
}

json to_json(const Run& run) {
  const auto counts = count(run);
  const auto operations = unreached_operations(run);
  const findings::Causes causes(run.plan, run.outcomes);
  json value{{"run", kRunVersion},
             {"version", run.version},
             {"contract_hash", run.contract_hash},
             {"base_url", run.base_url},
             {"target", run.target},
             {"contract", run.contract},
             {"contract_file", run.contract_file},
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
             {"counts", counts_json(counts, run)},
             {"operations_without_a_case_run", operations.silent},
             {"operations_not_covered", operations.not_covered},
             {"headlines", run.headlines},
             {"problems", problems_of(run, counts)},
             {"writes", writes_json(run)},
             {"waits", {{"waited_ms", run.waited.count()}, {"max_ms", run.max_wait.count()}}},
             {"coverage", coverage_json(run.coverage, run.shard.has_value())},
             {"causes", causes_json(causes)},
             {"tested", tested_kinds(run.plan, run.outcomes)},
             {"rules", rules_json(run)},
             {"reasons", reasons_json(run)}};
  if (run.baseline) {
    value["counts"]["known"] = counts.of_verdict(Verdict::kKnown);
    value["baseline"] = to_json(*run.baseline);
  }
  if (run.shard) {
    value["shard"] = *run.shard;
  }
  if (run.recorded) {
    value["recorded"] = *run.recorded;
  }
  add_cases(run, causes, value);
  return value;
}

Run run_from(const json& value, run::Plan& plan) {
  const auto& planned = value.at("plan");
  plan.cases.resize(planned.at("cases").get<std::size_t>());
  plan.seed = planned.at("seed").get<std::uint64_t>();
  plan.left_out = planned.at("left_out").get<std::size_t>();
  Run run{.plan = plan,
          .outcomes = {},
          .base_url = text_of(value, "base_url"),
          .target = text_of(value, "target"),
          .contract = text_of(value, "contract"),
          .started = text_of(value, "started"),
          .time = std::chrono::microseconds(value.at("time_us").get<std::int64_t>()),
          .document_only = value.at("document_only").get<bool>(),
          .interrupted = value.at("interrupted").get<bool>(),
          .coverage = coverage_from(value.at("coverage")),
          .min_coverage = value.at("settings").at("min_coverage").get<double>(),
          .headlines = value.at("headlines").get<std::vector<std::string>>(),
          .unusable = value.at("verdict") == to_text(Exit::kUnusable),
          .requests = value.at("counts").at("requests").get<std::size_t>(),
          .contract_file = value.value("contract_file", ContractFile{}),
          .inputs = value.value("inputs", json::object()),
          .version = text_of(value, "version"),
          .contract_hash = text_of(value, "contract_hash"),
          .plan_hash = text_of(planned, "hash"),
          .basis = text_of(planned, "basis"),
          .settings = value.at("settings").get<RunSettings>()};
  if (value.contains("baseline")) {
    run.baseline = baseline_from(value.at("baseline"));
  }
  if (value.contains("shard")) {
    run.shard = value.at("shard").get<Shard>();
  }
  if (value.contains("recorded")) {
    run.recorded = value.at("recorded").get<RecordedInput>();
  }
  read_writes(value.at("writes"), run);
  const auto& waits = value.at("waits");
  run.waited = std::chrono::milliseconds(waits.at("waited_ms").get<std::int64_t>());
  run.max_wait = std::chrono::milliseconds(waits.at("max_ms").get<std::int64_t>());
  read_cases(value, plan, run);
  return run;
}

}  // namespace contract_tests::report
