#include "contract_tests/runs/restored.hpp"

#include "contract_tests/report/failure_text.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::runs {

using nlohmann::json;
using report::text_of;
using run::Outcome;
using spec::contract::PointKind;

namespace {

using Shown = std::shared_ptr<const client::Exchange>;

checks::Finding restored_finding(const json& value, const std::vector<Shown>& exchanges) {
  checks::Finding finding;
  finding.rule = text_of(value, "rule");
  finding.place = text_of(value, "place");
  finding.kind_place = text_of(value, "kind_place");
  finding.message = text_of(value, "message");
  finding.source = {text_of(value, "clause"),
                    spec::contract::statement_class_from(text_of(value, "class")),
                    text_of(value, "pointer"), text_of(value, "stated_at")};
  finding.severity = checks::severity_from(text_of(value, "severity")).value();
  const auto state = text_of(value, "state");
  for (const auto each : {checks::State::kNew, checks::State::kKnown, checks::State::kExpired}) {
    finding.state = state == to_text(each) ? std::optional(each) : finding.state;
  }
  finding.operations = value.value("operations", std::vector<std::string>());
  finding.fingerprints = value.value("fingerprints", std::vector<std::string>());
  finding.changed = text_of(value, "changed");
  finding.curl = text_of(value, "curl");
  finding.response = text_of(value, "response");
  finding.excerpt = text_of(value, "excerpt");
  finding.fingerprint = text_of(value, "fingerprint");
  if (value.contains("exchange")) {
    finding.shown = exchanges.at(value.at("exchange").get<std::size_t>());
  }
  return finding;
}

run::Step restored_step(const json& value) {
  return {.request = text_of(value, "request"),
          .curl = text_of(value, "curl"),
          .status = value.at("status").get<int>(),
          .response = text_of(value, "response"),
          .time = std::chrono::microseconds(value.at("time_us").get<std::int64_t>()),
          .hash = text_of(value, "hash")};
}

// What `ran` leaves out of a case that is listed.
void restore_listed(const json& value, const std::vector<Shown>& exchanges, run::Case& item,
                    Outcome& outcome) {
  item.sentence = text_of(value, "sentence");
  item.why.rule = text_of(value, "rule");
  item.why.source.clause = text_of(value, "clause");
  item.why.source.statement_class = spec::contract::statement_class_from(text_of(value, "class"));
  outcome.reason = text_of(value, "reason");
  outcome.leans_on = text_of(value, "leans_on");
  for (const auto& step : value.at("steps")) {
    outcome.steps.push_back(restored_step(step));
  }
  if (value.contains("repeats")) {
    const auto& repeats = value.at("repeats");
    outcome.repeats = {repeats.at("of").get<unsigned>(), repeats.at("passed").get<unsigned>(),
                       repeats.at("failed").get<unsigned>()};
  }
  for (const auto& listed : value.at("findings")) {
    auto& finding = outcome.findings.emplace_back(restored_finding(listed, exchanges));
    finding.operation = item.operation_name;
    finding.case_id = item.id;
    if (listed.contains("met")) {
      outcome.met[finding.fingerprint] = listed.at("met").get<unsigned>();
    }
  }
}

std::vector<Shown> restored_exchanges(const json& value, report::Run& run) {
  std::vector<Shown> exchanges;
  for (const auto& exchange : value.at("exchanges")) {
    exchanges.push_back(std::make_shared<const client::Exchange>());
    run.exchanges[exchanges.back().get()] = exchange;
  }
  return exchanges;
}

std::vector<spec::contract::Point> points_of(PointKind kind, const json& value) {
  std::vector<spec::contract::Point> points;
  for (const bool seen : {true, false}) {
    for (const auto& text : value.at(seen ? "seen" : "unseen")) {
      auto& point = points.emplace_back();
      point.kind = kind;
      point.text = text.get<std::string>();
      point.seen = seen;
      const auto values = value.value("values", json::object()).value(point.text, json());
      if (values.is_object()) {
        point.values = values.at("of").get<std::size_t>();
        point.values_seen = values.contains("shown")
                                ? values.at("shown").get<std::vector<std::string>>()
                                : std::vector<std::string>(values.at("seen").get<std::size_t>());
      }
    }
  }
  return points;
}

}  // namespace

void restore_cases(const json& value, run::Plan& plan, report::Run& run) {
  const auto exchanges = restored_exchanges(value, run);
  std::map<std::string, const json*> listed;
  for (const auto& item : value.at("cases")) {
    listed[text_of(item, "id")] = &item;
  }
  for (auto& ran : report::ran_of(value)) {
    auto& item = plan.cases.at(ran.index);
    item.id = ran.id;
    item.operation = ran.operation;
    item.operation_name = ran.operation_name;
    item.sends_nothing = ran.sends_nothing;
    item.expect.gateway = ran.before_service;
    auto& outcome = run.outcomes[ran.index];
    outcome.verdict = ran.verdict;
    outcome.time = ran.time;
    outcome.not_allowed = ran.not_allowed;
    if (ran.reason) {
      outcome.reason = text_of(value.at("reasons").at(*ran.reason), "reason");
    }
    if (const auto found = listed.find(ran.id); found != listed.end()) {
      restore_listed(*found->second, exchanges, item, outcome);
      if (found->second->contains("planned")) {
        run.planned[ran.index] = found->second->at("planned");
      }
    } else if (ran.verdict != run::Verdict::kSkipped) {
      run.unlisted[ran.index] = std::move(ran.findings);
    }
  }
}

spec::contract::CoverageReport restore_coverage(const json& value) {
  spec::contract::CoverageReport coverage;
  for (const auto& [id, operation] : value.at("coverage").at("operations").items()) {
    auto& added = coverage.operations.emplace_back();
    added.id = id;
    added.points.push_back({PointKind::kOperation, "", operation.at("called").get<bool>(), 0, {}});
    for (const auto kind : spec::contract::kPointKinds) {
      if (kind != PointKind::kOperation) {
        auto points = points_of(kind, operation.at(std::string(plural(kind))));
        added.points.insert(added.points.end(), points.begin(), points.end());
      }
    }
  }
  return coverage;
}

}  // namespace contract_tests::runs
