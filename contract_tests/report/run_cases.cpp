#include "contract_tests/report/run_cases.hpp"

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/case_value.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace contract_tests::report {

using findings::Causes;
using findings::text_of;
using nlohmann::json;
using run::Outcome;
using run::Verdict;

namespace {

// The limits of a report, in bytes of compact JSON: so much can be read in a browser, and a run in
// which everything fails needs no more.
constexpr std::size_t kMaxExchanges = 2'000'000;
constexpr std::size_t kMaxDetails = 3'000'000;

constexpr std::string_view kCausedByFailed = "caused by a case that failed";
constexpr std::string_view kCausedByKnown = "caused by a case with known findings";

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

run::Step step_from(const json& value) {
  return {.request = text_of(value, "request"),
          .curl = text_of(value, "curl"),
          .status = value.at("status").get<int>(),
          .response = text_of(value, "response"),
          .time = std::chrono::microseconds(value.at("time_us").get<std::int64_t>()),
          .hash = text_of(value, "hash")};
}

json findings_json(const Outcome& outcome, const Causes& causes, Exchanges& exchanges) {
  auto findings = json::array();
  for (const auto& finding : outcome.findings) {
    auto& added = findings.emplace_back(findings::to_json(finding));
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

// The members of every case: enough to compare and merge runs.
json case_json(std::size_t index, const run::Case& item, const Outcome& outcome) {
  json value{{"index", index},
             {"id", item.id},
             {"operation", item.operation},
             {"operation_name", item.operation_name},
             {"verdict", to_text(outcome.verdict)},
             {"reason", outcome.reason.words},
             {"time_us", outcome.time.count()},
             {"findings", json::array()}};
  for (const auto& finding : outcome.findings) {
    auto& mark = value["findings"].emplace_back();
    mark = {{"severity", to_text(finding.severity)}, {"fingerprint", finding.fingerprint}};
    if (finding.state) {
      mark["state"] = to_text(*finding.state);
    }
  }
  if (const auto& cause = outcome.reason.caused_by; !cause.empty()) {
    value["caused_by"] = cause;
  }
  const bool before_service = item.expect.gateway || item.undeclared_method;
  for (const auto& [name, is_set] : {std::pair{"not_allowed", outcome.reason.is_not_allowed()},
                                     std::pair{"repeated", outcome.reason.is_repeated()},
                                     std::pair{"sends_nothing", item.sends_nothing},
                                     std::pair{"before_service", before_service}}) {
    if (is_set) {
      value[name] = true;
    }
  }
  return value;
}

json details_json(const run::Case& item, const Outcome& outcome, json findings) {
  json value{{"sentence", item.sentence},
             {"rule", item.basis.rule},
             {"clause", item.basis.source.clause},
             {"class", spec::contract::to_text(item.basis.source.statement_class)},
             {"findings", std::move(findings)},
             {"steps", steps_json(outcome)}};
  if (outcome.repeats.of > 0) {
    value["repeats"] = {{"of", outcome.repeats.of},
                        {"passed", outcome.repeats.passed},
                        {"failed", outcome.repeats.failed}};
  }
  return value;
}

bool passed_silently(const Outcome& outcome) {
  return outcome.verdict == Verdict::kPassed && outcome.findings.empty();
}

// These are counted by reason.
bool is_just_skipped(const Outcome& outcome) {
  return outcome.verdict == Verdict::kSkipped && outcome.findings.empty();
}

// Null for a case that has none, or was read without them.
json details_of(const Run& run, std::size_t index, const Causes& causes, Exchanges& exchanges) {
  const auto& item = run.plan.cases.at(index);
  const auto& outcome = run.outcomes.at(index);
  if (is_just_skipped(outcome) || item.sentence.empty()) {
    return {};
  }
  auto details = details_json(item, outcome, findings_json(outcome, causes, exchanges));
  if (!passed_silently(outcome)) {
    const auto read = run.planned.find(index);
    details["planned"] =
        read != run.planned.end() ? read->second : planned_json(item, outcome, run.secrets);
  }
  return details;
}

using SharedExchange = std::shared_ptr<const client::Exchange>;

checks::Finding finding_from(const json& value, const std::vector<SharedExchange>& exchanges) {
  checks::Finding finding;
  finding.rule = text_of(value, "rule");
  finding.place = text_of(value, "place");
  finding.kind_place = text_of(value, "kind_place");
  finding.message = {text_of(value, "must"), text_of(value, "is")};
  finding.source = {text_of(value, "clause"),
                    spec::contract::statement_class_from(text_of(value, "class")),
                    text_of(value, "pointer"), text_of(value, "stated_at")};
  finding.severity = checks::severity_from(text_of(value, "severity")).value();
  const auto state = text_of(value, "state");
  for (const auto each :
       {checks::FindingState::kNew, checks::FindingState::kKnown, checks::FindingState::kExpired}) {
    finding.state = state == to_text(each) ? std::optional(each) : finding.state;
  }
  finding.operations = value.value("operations", std::vector<std::string>());
  finding.fingerprints = value.value("fingerprints", std::vector<std::string>());
  finding.changed = checks::change_from(value.value("change", json("")));
  finding.status = value.value("status", 0);
  finding.curl = text_of(value, "curl");
  finding.response = text_of(value, "response");
  finding.excerpt = text_of(value, "excerpt");
  finding.fingerprint = text_of(value, "fingerprint");
  if (value.contains("exchange")) {
    finding.shown = exchanges.at(value.at("exchange").get<std::size_t>());
  }
  return finding;
}

run::Case case_from(const json& value) {
  run::Case item;
  item.id = text_of(value, "id");
  item.operation = text_of(value, "operation");
  item.operation_name = text_of(value, "operation_name");
  item.sentence = text_of(value, "sentence");
  item.basis.rule = text_of(value, "rule");
  item.basis.source.clause = text_of(value, "clause");
  item.basis.source.statement_class = spec::contract::statement_class_from(text_of(value, "class"));
  item.sends_nothing = value.value("sends_nothing", false);
  item.expect.gateway = value.value("before_service", false);
  return item;
}

Outcome outcome_from(const json& value, const std::vector<SharedExchange>& exchanges) {
  Outcome outcome;
  outcome.verdict = run::verdict_from(text_of(value, "verdict")).value();
  using Kind = run::Reason::Kind;
  outcome.reason = {text_of(value, "reason"),
                    value.value("not_allowed", false) ? Kind::kNotAllowed
                    : value.value("repeated", false)  ? Kind::kRepeated
                                                      : Kind::kOther,
                    text_of(value, "caused_by")};
  outcome.time = std::chrono::microseconds(value.at("time_us").get<std::int64_t>());
  for (const auto& step : value.value("steps", json::array())) {
    outcome.steps.push_back(step_from(step));
  }
  if (const auto repeats = value.find("repeats"); repeats != value.end()) {
    outcome.repeats = {repeats->at("of").get<unsigned>(), repeats->at("passed").get<unsigned>(),
                       repeats->at("failed").get<unsigned>()};
  }
  for (const auto& listed : value.at("findings")) {
    auto& finding = outcome.findings.emplace_back(finding_from(listed, exchanges));
    finding.operation = text_of(value, "operation_name");
    finding.case_id = text_of(value, "id");
    if (listed.contains("met")) {
      outcome.met[finding.fingerprint] = listed.at("met").get<unsigned>();
    }
  }
  return outcome;
}

using ReasonKey = std::tuple<Verdict, std::string>;

// The key by which skipped and inconclusive cases are counted.
std::optional<ReasonKey> reason_of(const Outcome& outcome, const std::set<std::string>& known) {
  if (outcome.verdict != Verdict::kSkipped && outcome.verdict != Verdict::kInconclusive) {
    return std::nullopt;
  }
  const auto& [words, kind, caused_by] = outcome.reason;
  return ReasonKey{outcome.verdict, caused_by.empty()           ? words
                                    : known.contains(caused_by) ? std::string(kCausedByKnown)
                                                                : std::string(kCausedByFailed)};
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

// Details first of the cases with findings or without a verdict, then of those that passed, as far
// as the limit goes.
void add_cases(const Run& run, const Causes& causes, json& value) {
  Exchanges exchanges(run);
  std::map<std::size_t, json> cases;
  std::size_t bytes = 0;
  std::size_t left_out = 0;
  for (const bool plain : {false, true}) {
    for (const auto& [index, outcome] : run.outcomes) {
      if (passed_silently(outcome) != plain) {
        continue;
      }
      auto details = bytes < kMaxDetails ? details_of(run, index, causes, exchanges) : json();
      bytes += details.is_null() ? 0 : bytes_of(details);
      auto& written = cases[index] = case_json(index, run.plan.cases.at(index), outcome);
      if (!details.is_null() && bytes <= kMaxDetails) {
        written.update(details);
      } else if (!is_just_skipped(outcome)) {
        ++left_out;
      }
    }
  }
  value["cases"] = json::array();
  for (auto& [index, written] : cases) {
    value["cases"].push_back(std::move(written));
  }
  value["exchanges"] = exchanges.take();
  if (left_out > 0) {
    value["cases_left_out"] = left_out;
  }
}

void read_cases(const json& value, run::Plan& plan, Run& run) {
  std::vector<SharedExchange> exchanges;
  for (const auto& exchange : value.at("exchanges")) {
    exchanges.push_back(std::make_shared<const client::Exchange>());
    run.exchanges[exchanges.back().get()] = exchange;
  }
  for (const auto& item : value.at("cases")) {
    const auto index = item.at("index").get<std::size_t>();
    plan.cases.at(index) = case_from(item);
    run.outcomes[index] = outcome_from(item, exchanges);
    if (item.contains("planned")) {
      run.planned[index] = item.at("planned");
    }
  }
}

bool has_details(const json& item) {
  return item.contains("sentence");
}

}  // namespace contract_tests::report
