#include "contract_tests/runs/merge.hpp"

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/report/failure_text.hpp"
#include "contract_tests/run/watch/habits.hpp"
#include "contract_tests/runs/joined_baseline.hpp"
#include "contract_tests/runs/restored.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace contract_tests::runs {

using nlohmann::json;
using report::text_of;

namespace {

using Shards = std::map<std::size_t, const SavedRun*>;  // by index

[[noreturn]] void reject_shard(const SavedRun& run, const std::string& why) {
  throw spec::LoadError(run.file.string(), why);
}

bool is_unusable(const SavedRun& run) {
  return run.value.at("verdict") == "unusable";
}

// A shard that could not start says nothing of its plan.
bool started(const SavedRun& run) {
  return !is_unusable(run) || !run.value.at("ran").empty();
}

// What the file of known findings says, whatever the run says of it: its entries, so that the file
// may lie elsewhere on another machine. "none" without one.
std::string baseline_of(const json& run) {
  const auto found = run.find("baseline");
  if (found == run.end()) {
    return "none";
  }
  auto entries = found->at("entries");
  for (auto& entry : entries) {
    for (const char* of_the_run : {"state", "days_left", "proved"}) {
      entry.erase(of_the_run);
    }
  }
  return "entries: " + std::to_string(entries.size()) +
         ", hash: " + checks::stable_hash(entries.dump());
}

// What a member is called in messages, and its value: shards of one run have the same.
std::vector<std::pair<std::string, json>> identity_of(const json& run) {
  auto settings = run.at("settings");
  settings.erase("subjects");  // machines may have services of their own with other records
  std::vector<std::pair<std::string, json>> identity{
      {"program", run.at("version")},
      {"contract", run.at("contract_hash")},
      {"plan", run.at("plan").at("hash")},
      {"rules or cases", run.at("plan").at("basis")},
      {"target", run.at("target")},
      {"value of --document-only", run.at("document_only")},
      {"baseline", baseline_of(run)},
      {"value of --baseline-strict", run.value("/baseline/strict"_json_pointer, false)},
  };
  for (const auto& [name, value] : settings.items()) {
    identity.emplace_back("setting " + name, value);
  }
  // Each shard may have started a mock of its own, on a free port.
  if (run.at("target") == "service") {
    identity.emplace_back("base URL", run.at("base_url"));
  }
  return identity;
}

void check_same(const SavedRun& first, const SavedRun& other) {
  const auto expected = identity_of(first.value);
  const auto actual = identity_of(other.value);
  for (std::size_t at = 0; at < std::min(expected.size(), actual.size()); ++at) {
    if (expected[at] != actual[at]) {
      reject_shard(other, "not a shard of the same run as " + first.file.string() + ": another " +
                              expected[at].first + " (" + actual[at].second.dump() + ", not " +
                              expected[at].second.dump() +
                              "); run every shard with the same program, files and flags");
    }
  }
}

Shards by_index(const std::vector<SavedRun>& runs) {
  Shards shards;
  std::size_t of = 0;
  const SavedRun* first = nullptr;
  for (const auto& run : runs) {
    if (!run.value.contains("shard")) {
      reject_shard(run,
                   "not the run of a shard; a shard is run with GTEST_TOTAL_SHARDS and "
                   "GTEST_SHARD_INDEX");
    }
    const auto& shard = run.value.at("shard");
    const auto index = shard.at("index").get<std::size_t>();
    of = of == 0 ? shard.at("of").get<std::size_t>() : of;
    if (shard.at("of") != of || index >= of) {
      reject_shard(run, "is shard " + std::to_string(index) + " of " + shard.at("of").dump() +
                            ", and the first one named is of " + std::to_string(of) +
                            "; name the shards of one run");
    }
    const auto known = shards.try_emplace(index, &run);
    if (!known.second) {
      reject_shard(run, "the same shard (" + std::to_string(index) + ") as " +
                            known.first->second->file.string() + "; name each shard once");
    }
    if (started(run)) {
      first = first == nullptr ? &run : first;
      check_same(*first, run);
    }
  }
  return shards;
}

std::string name_of_shard(std::size_t index, std::size_t of) {
  return "shard " + std::to_string(index) + " of " + std::to_string(of) +
         " (GTEST_SHARD_INDEX=" + std::to_string(index) + ')';
}

// What happened to the shards, each sentence once.
std::vector<std::string> headlines_of(const Shards& shards, std::size_t of) {
  std::vector<std::string> headlines;
  const auto add = [&headlines](std::string text) {
    if (std::ranges::find(headlines, text) == headlines.end()) {
      headlines.push_back(std::move(text));
    }
  };
  for (std::size_t index = 0; index < of; ++index) {
    const auto found = shards.find(index);
    if (found == shards.end()) {
      add(name_of_shard(index, of) + " is missing, so its cases say nothing; merge it too");
      continue;
    }
    const auto& run = *found->second;
    for (const auto& headline : run.value.at("headlines")) {
      add((started(run) ? "" : name_of_shard(index, of) + " could not start: ") +
          headline.get<std::string>());
    }
  }
  return headlines;
}

// The points of every shard, each seen if any shard saw it.
class Joined {
 public:
  void add(const spec::contract::CoverageReport& report) {
    for (const auto& operation : report.operations) {
      auto& points = operations_[operation.id];
      for (const auto& point : operation.points) {
        add(point, points[{point.kind, point.text}]);
      }
    }
  }

  spec::contract::CoverageReport take() const {
    spec::contract::CoverageReport report;
    for (const auto& [id, points] : operations_) {
      auto& operation = report.operations.emplace_back();
      operation.id = id;
      for (const auto& [key, point] : points) {
        operation.points.push_back(point);
      }
    }
    return report;
  }

 private:
  using Key = std::pair<spec::contract::PointKind, std::string>;

  static void add(const spec::contract::Point& point, spec::contract::Point& into) {
    std::set<std::string> values(into.values_seen.begin(), into.values_seen.end());
    values.insert(point.values_seen.begin(), point.values_seen.end());
    const bool seen = into.seen || point.seen;
    into = point;
    into.seen = seen;
    into.values_seen.assign(values.begin(), values.end());
  }

  std::map<std::string, std::map<Key, spec::contract::Point>> operations_;
};

// What is the same in every shard.
void take_identity(const json& value, run::Plan& plan, report::Run& run) {
  plan.cases.resize(value.at("plan").at("cases").get<std::size_t>());
  plan.seed = value.at("plan").at("seed").get<std::uint64_t>();
  plan.left_out = value.at("plan").at("left_out").get<std::size_t>();
  run.plan_hash = text_of(value.at("plan"), "hash");
  run.basis = text_of(value.at("plan"), "basis");
  run.base_url = text_of(value, "base_url");
  run.target = text_of(value, "target");
  run.contract = text_of(value, "contract");
  run.contract_hash = text_of(value, "contract_hash");
  const auto file = value.value("contract_file", json::object());
  run.contract_file = {.path = text_of(file, "path"),
                       .in_repository = file.value("in_repository", false)};
  run.version = text_of(value, "version");
  run.inputs = value.value("inputs", json::object());
  run.document_only = value.at("document_only").get<bool>();
  run.settings = value.at("settings").get<report::RunSettings>();
  run.min_coverage = value.at("settings").at("min_coverage").get<double>();
  run.started = text_of(value, "started");
}

// What shards add to the run as a whole: times are those of the longest, sums the rest.
void add_totals(const json& value, report::Run& run) {
  const auto& waits = value.at("waits");
  const auto& writes = value.at("writes");
  run.started = std::min(run.started, text_of(value, "started"));
  run.time = std::max(run.time, std::chrono::microseconds(value.at("time_us").get<std::int64_t>()));
  run.interrupted = run.interrupted || value.at("interrupted").get<bool>();
  run.records += writes.at("records").get<std::size_t>();
  for (const auto& left : writes.at("not_put_back")) {
    run.not_put_back.push_back({text_of(left, "what"), text_of(left, "curl")});
  }
  for (const auto& doubt : writes.value("unverified", json::array())) {
    run.unverified.push_back(doubt.get<std::string>());
  }
  run.waited += std::chrono::milliseconds(waits.at("waited_ms").get<std::int64_t>());
  run.max_wait =
      std::max(run.max_wait, std::chrono::milliseconds(waits.at("max_ms").get<std::int64_t>()));
  run.requests = run.requests.value_or(0) + value.at("counts").at("requests").get<std::size_t>();
}

// A case that leans on one that leans on another now leans on that one.
void follow_habits(run::Outcomes& outcomes, const run::Plan& plan) {
  std::map<std::string, std::string> leans;  // by id: what a case leans on that failed by a habit
  for (const auto& [index, outcome] : outcomes) {
    if (outcome.reason == run::watch::reason_of_habit(outcome.leans_on)) {
      leans[plan.cases.at(index).id] = outcome.leans_on;
    }
  }
  for (auto& [index, outcome] : outcomes) {
    const auto next = leans.find(outcome.leans_on);
    if (next != leans.end() && leans.contains(plan.cases.at(index).id)) {
      outcome.leans_on = next->second;
      outcome.reason = run::watch::reason_of_habit(outcome.leans_on);
    }
  }
}

}  // namespace

json merge(const std::vector<SavedRun>& shards, const plan::RuleBook& book) {
  const auto all = by_index(shards);
  const auto of = shards.front().value.at("shard").at("of").get<std::size_t>();
  run::Plan plan;
  report::Run run{
      .plan = plan, .outcomes = {}, .base_url = {}, .target = {}, .contract = {}, .started = {}};
  const auto whole = std::ranges::find_if(shards, started);
  take_identity((whole == shards.end() ? shards.front() : *whole).value, plan, run);
  Joined coverage;
  for (const auto& [index, shard] : all) {
    const auto cases = run.outcomes.size();
    restore_cases(shard->value, plan, run);
    if (run.outcomes.size() != cases + report::ran_of(shard->value).size()) {
      reject_shard(*shard,
                   "has a case that another shard has too; run every shard with the same flags");
    }
    add_totals(shard->value, run);
    coverage.add(restore_coverage(shard->value));
  }
  run.coverage = coverage.take();
  std::vector<const json*> values;
  for (const auto& [index, shard] : all) {
    values.push_back(&shard->value);
  }
  run.baseline = joined_baseline(values);
  run.headlines = headlines_of(all, of);
  run.unusable = all.size() == of && std::ranges::all_of(shards, is_unusable);
  run::watch::merge_habits(book, run.outcomes, report::severity_that_fails(run.settings.fail_on));
  follow_habits(run.outcomes, plan);
  auto value = report::to_json(run);
  for (const auto& [index, shard] : all) {
    value["rules"].update(shard->value.value("rules", json::object()));
  }
  return value;
}

}  // namespace contract_tests::runs
