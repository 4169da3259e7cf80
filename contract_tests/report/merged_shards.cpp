#include "contract_tests/report/merged_shards.hpp"

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/findings/baseline.hpp"
#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/findings/repeated_findings.hpp"
#include "contract_tests/report/run_value.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace contract_tests::report {

using findings::EntryState;
using nlohmann::json;
using spec::contract::Point;

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
  return !is_unusable(run) || !run.value.at("cases").empty();
}

// The entries of the baseline, so that the file may lie elsewhere on another machine; "none"
// without one.
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

// Names of members for messages, and their values: shards of one run have the same.
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

Shards shards_by_index(const std::vector<SavedRun>& runs) {
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

// The problems of the shards, each sentence once.
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

// The points of both, each seen if either saw it.
void join(const spec::contract::CoverageReport& other, spec::contract::CoverageReport& into) {
  std::map<std::string, std::map<std::pair<spec::contract::PointKind, std::string>, Point>> all;
  for (const auto* report : {&other, &std::as_const(into)}) {
    for (const auto& operation : report->operations) {
      auto& points = all[operation.id];
      for (const auto& point : operation.points) {
        auto& known = points.try_emplace({point.kind, point.text}, point).first->second;
        std::set<std::string> values(known.values_seen.begin(), known.values_seen.end());
        values.insert(point.values_seen.begin(), point.values_seen.end());
        known.seen = known.seen || point.seen;
        known.values_seen.assign(values.begin(), values.end());
      }
    }
  }
  into = {};
  for (const auto& [id, points] : all) {
    auto& operation = into.operations.emplace_back();
    operation.id = id;
    for (const auto& [key, point] : points) {
      operation.points.push_back(point);
    }
  }
}

bool is_found(EntryState state) {
  return state == EntryState::kKnown || state == EntryState::kExpired;
}

void join(const findings::EntryResult& other, findings::EntryResult& into) {
  into.proved += other.proved;
  into.days_left = std::min(into.days_left, other.days_left);
  if (is_found(other.state) && into.state != EntryState::kExpired) {
    into.state = other.state;
  } else if (!is_found(into.state) && into.state != other.state) {
    into.state = EntryState::kNotSeen;
  }
}

// An entry that a shard found is known or expired; one that none found is stale where every shard
// says so. All of them have the same entries, but for those that could not start.
void join(std::optional<findings::BaselineResult> other,
          std::optional<findings::BaselineResult>& into) {
  if (!other || !into) {
    into = into ? std::move(into) : std::move(other);
    return;
  }
  into->strict = into->strict || other->strict;
  for (auto& standing : other->entries) {
    const auto known = std::ranges::find(into->entries, standing.entry.id,
                                         [](const auto& each) { return each.entry.id; });
    if (known == into->entries.end()) {
      into->entries.push_back(std::move(standing));
    } else {
      join(standing, *known);
    }
  }
}

// Different errors that no entry has.
std::size_t unknown_in(const run::Outcomes& outcomes) {
  std::set<std::string> found;
  for (const auto& [index, outcome] : outcomes) {
    for (const auto& finding : outcome.findings) {
      if (finding.state == checks::FindingState::kNew) {
        found.insert(finding.fingerprint);
        found.insert(finding.fingerprints.begin(), finding.fingerprints.end());
      }
    }
  }
  return found.size();
}

// Decides with all shards together: an entry is fixed when its cases passed in whichever shards
// they were.
void conclude_baseline(const run::Outcomes& outcomes, findings::BaselineResult& result) {
  result.unknown = unknown_in(outcomes);
  for (auto& standing : result.entries) {
    const bool all =
        !standing.entry.cases.empty() && standing.proved == standing.entry.cases.size();
    if (all && standing.state == EntryState::kNotSeen) {
      standing.state = EntryState::kFixed;
    }
  }
}

// A shard that was read; `run` refers to `plan`.
struct ShardRun {
  explicit ShardRun(const json& value) : run(run_from(value, plan)) {}

  run::Plan plan;
  Run run;
};

template <typename Element>
void append(std::vector<Element>&& other, std::vector<Element>& into) {
  std::ranges::move(other, std::back_inserter(into));
}

// Times are those of the longest, the rest are sums. False if both have a case.
bool join(ShardRun& other, ShardRun& into) {
  auto& run = into.run;
  for (const auto& [index, outcome] : other.run.outcomes) {
    into.plan.cases.at(index) = std::move(other.plan.cases[index]);
  }
  run.outcomes.merge(other.run.outcomes);
  run.exchanges.merge(other.run.exchanges);
  run.planned.merge(other.run.planned);
  run.started = std::min(run.started, other.run.started);
  run.time = std::max(run.time, other.run.time);
  run.interrupted = run.interrupted || other.run.interrupted;
  run.records += other.run.records;
  append(std::move(other.run.not_put_back), run.not_put_back);
  append(std::move(other.run.unverified), run.unverified);
  run.waited += other.run.waited;
  run.max_wait = std::max(run.max_wait, other.run.max_wait);
  run.requests = run.requests.value_or(0) + other.run.requests.value_or(0);
  join(other.run.coverage, run.coverage);
  join(std::move(other.run.baseline), run.baseline);
  return other.run.outcomes.empty();
}

// A case that was caused by a case that another one caused is now caused by that one.
void follow_causes(run::Outcomes& outcomes, const run::Plan& plan) {
  std::map<std::string, std::string>
      causes;  // by id: the cause of a case that failed by a repeated finding
  for (const auto& [index, outcome] : outcomes) {
    if (outcome.reason.is_repeated()) {
      causes[plan.cases.at(index).id] = outcome.reason.caused_by;
    }
  }
  for (auto& [index, outcome] : outcomes) {
    const auto next = causes.find(outcome.reason.caused_by);
    if (next != causes.end() && outcome.reason.is_repeated()) {
      outcome.reason = run::repeated(next->second);
    }
  }
}

}  // namespace

json merge(const std::vector<SavedRun>& shards, const plan::RuleBook& book) {
  const auto all = shards_by_index(shards);
  const auto of = shards.front().value.at("shard").at("of").get<std::size_t>();
  // Values that are the same in every shard come from one that started.
  const auto found =
      std::ranges::find_if(all, [](const auto& entry) { return started(*entry.second); });
  const auto* first = (found == all.end() ? all.begin() : found)->second;
  ShardRun whole(first->value);
  for (const auto& [index, saved] : all) {
    if (saved != first) {
      ShardRun shard(saved->value);
      if (!join(shard, whole)) {
        reject_shard(*saved,
                     "has a case that another shard has too; run every shard with the same flags");
      }
    }
  }
  auto& run = whole.run;
  if (run.baseline) {
    conclude_baseline(run.outcomes, *run.baseline);
  }
  run.shard.reset();
  run.book = &book;
  run.headlines = headlines_of(all, of);
  run.unusable = all.size() == of && std::ranges::all_of(shards, is_unusable);
  findings::merge_repeated_findings(book, run.outcomes,
                                    findings::severity_that_fails(run.settings.fail_on));
  follow_causes(run.outcomes, whole.plan);
  return to_json(run);
}

}  // namespace contract_tests::report
