#include "contract_tests/report/cases_value.hpp"

#include "contract_tests/report/exchange_value.hpp"
#include "contract_tests/report/planned_value.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
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

constexpr std::string_view kLeans = "leans on a case that failed";
constexpr std::string_view kLeansOnKnown = "leans on a case with known findings";

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

using ReasonKey = std::tuple<Verdict, std::string>;

// What a skipped or inconclusive case is counted by.
std::optional<ReasonKey> reason_of(const Outcome& outcome, const std::set<std::string>& known) {
  if (outcome.verdict != Verdict::kSkipped && outcome.verdict != Verdict::kInconclusive) {
    return std::nullopt;
  }
  return ReasonKey{outcome.verdict, outcome.leans_on.empty()           ? outcome.reason
                                    : known.contains(outcome.leans_on) ? std::string(kLeansOnKnown)
                                                                       : std::string(kLeans)};
}

}  // namespace

std::set<std::string> cases_of(const Run& run, Verdict verdict) {
  std::set<std::string> ids;
  for (const auto& [index, outcome] : run.outcomes) {
    if (outcome.verdict == verdict) {
      ids.insert(run.plan.cases.at(index).id);
    }
  }
  return ids;
}

std::vector<FindingMark> marks_of(const Run& run, std::size_t index, const Outcome& outcome) {
  const auto unlisted = run.unlisted.find(index);
  auto marks = unlisted == run.unlisted.end() ? std::vector<FindingMark>() : unlisted->second;
  for (const auto& finding : outcome.findings) {
    marks.push_back({finding.severity, finding.fingerprint});
  }
  return marks;
}

json reasons_json(const Run& run) {
  std::map<ReasonKey, std::map<std::string, std::size_t>> reasons;
  const auto known = cases_of(run, Verdict::kKnown);
  for (const auto& [index, outcome] : run.outcomes) {
    if (const auto reason = reason_of(outcome, known)) {
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

json every_case_json(const Run& run, const json& reasons) {
  std::map<std::pair<std::string, std::string>, std::size_t> indices;
  for (std::size_t at = 0; at < reasons.size(); ++at) {
    indices[{reasons[at].at("verdict"), reasons[at].at("reason")}] = at;
  }
  const auto known = cases_of(run, Verdict::kKnown);
  std::vector<RanCase> cases;
  cases.reserve(run.outcomes.size());
  for (const auto& [index, outcome] : run.outcomes) {
    const auto& item = run.plan.cases.at(index);
    auto& added = cases.emplace_back();
    added.index = index;
    added.id = item.id;
    added.operation = item.operation;
    added.operation_name = item.operation_name;
    added.verdict = outcome.verdict;
    added.time = outcome.time;
    if (const auto reason = reason_of(outcome, known)) {
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

}  // namespace contract_tests::report
