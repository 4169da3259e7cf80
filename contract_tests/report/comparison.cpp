#include "contract_tests/report/comparison.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/changed_findings.hpp"
#include "spec/load_error.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <utility>

namespace contract_tests::report {

using findings::text_of;
using nlohmann::json;
using run::Verdict;

namespace {

constexpr int kComparisonVersion = 1;

// A case is slower when it took at least twice as long and this much longer: less is noise.
constexpr std::chrono::milliseconds kNoise{100};

// A run without its changes.
json header_of(const SavedRun& run) {
  const auto& value = run.value;
  return {{"file", run.file.filename().string()},   {"contract", value.at("contract")},
          {"base_url", value.at("base_url")},       {"target", value.at("target")},
          {"started", value.at("started")},         {"verdict", value.at("verdict")},
          {"counts", value.at("counts")},           {"points", value.at("coverage").at("points")},
          {"seen", value.at("coverage").at("seen")}};
}

bool ran(const json* item) {
  return item != nullptr && verdict_of(*item) != Verdict::kSkipped;
}

bool ran_a_case(const IndexedRun& run) {
  return std::ranges::any_of(run.value.at("cases"), [](const json& item) { return ran(&item); });
}

// Why the results of one run say nothing about the other; "" if they do.
std::string why_not_comparable(const IndexedRun& before, const IndexedRun& after) {
  for (const auto& [name, run] : {std::pair{"old", &before}, std::pair{"new", &after}}) {
    if (run->value.at("verdict") == "unusable") {
      return std::string("the ") + name + " run could not start; run it again";
    }
    if (!ran_a_case(*run)) {
      return std::string("no case ran in the ") + name + " run; run it again";
    }
  }
  if (before.value.at("target") != after.value.at("target")) {
    return "one run is of the mock and the other of a service; compare two runs of the same";
  }
  if (before.value.value("shard", json()) != after.value.value("shard", json())) {
    return "one run is of a shard and the other is not of the same one; make whole runs with "
           "contract_tests merge";
  }
  return "";
}

void reject_foreign(const SavedRun& before, const SavedRun& after) {
  std::set<std::string> operations;
  for (const auto& item : before.value.at("cases")) {
    operations.insert(text_of(item, "operation_name"));
  }
  const auto& others = after.value.at("cases");
  const bool common = std::ranges::any_of(others, [&](const json& item) {
    return operations.contains(text_of(item, "operation_name"));
  });
  if (!common && !operations.empty() && !others.empty()) {
    throw spec::LoadError(
        after.file.string(),
        "a run of another contract (" + text_of(after.value, "contract") + ") than " +
            before.file.string() + " (" + text_of(before.value, "contract") +
            "): they have no operation in common; compare two runs of one contract");
  }
}

// Null if the run did not select the case.
json case_change(const json* before, const json* after, ChangeReason because) {
  const auto& item = after != nullptr ? *after : *before;
  return {{"case", item.at("id")},
          {"operation_name", item.at("operation_name")},
          {"before", before != nullptr ? before->at("verdict") : json()},
          {"after", after != nullptr ? after->at("verdict") : json()},
          {"reason", after != nullptr ? after->at("reason") : json("")},
          {"because", to_text(because)}};
}

std::chrono::microseconds time_of(const json& item) {
  return std::chrono::microseconds(item.at("time_us").get<std::int64_t>());
}

bool is_slower(const json& before, const json& after) {
  return time_of(after) >= 2 * time_of(before) && time_of(after) - time_of(before) >= kNoise;
}

// Adds the change of a case that ran in both runs.
void add_change(const json& before, const json& after, const ChangeReasons& reasons,
                json& changes) {
  const auto verdict = verdict_of(after);
  if (verdict_of(before) == Verdict::kPassed && verdict != Verdict::kPassed) {
    changes[verdict == Verdict::kInconclusive ? "passed_to_inconclusive" : "passed_to_failed"]
        .push_back(
            case_change(&before, &after, reasons.reason_of_findings({text_of(after, "id")})));
  }
  const bool comparable = is_decided(&before) && is_decided(&after);
  if (comparable && is_slower(before, after)) {
    changes["slower"].push_back({{"case", after.at("id")},
                                 {"operation_name", after.at("operation_name")},
                                 {"before_us", before.at("time_us")},
                                 {"after_us", after.at("time_us")}});
  }
}

void add_changes_of_cases(const IndexedRun& before, const IndexedRun& after,
                          const ChangeReasons& reasons, json& changes) {
  for (const auto& item : before.value.at("cases")) {
    const auto id = text_of(item, "id");
    const auto* now = after.find(id);
    if (ran(&item) && !ran(now)) {
      changes["no_longer_run"].push_back(case_change(&item, now, reasons.reason_of_selection(id)));
    } else if (ran(&item)) {
      add_change(item, *now, reasons, changes);
    }
  }
  for (const auto& item : after.value.at("cases")) {
    const auto id = text_of(item, "id");
    const auto* old = before.find(id);
    if (ran(&item) && !ran(old)) {
      changes["newly_run"].push_back(case_change(old, &item, reasons.reason_of_selection(id)));
    }
  }
}

// The points of an operation in words: "fields 200 /items/*/price".
struct CoveredPoints {
  std::size_t points = 0;
  std::set<std::string> seen;
};

CoveredPoints covered_points(const json& operation) {
  CoveredPoints covered;
  for (const auto& [kind, points] : operation.items()) {
    if (kind == "called") {
      ++covered.points;
      if (points.get<bool>()) {
        covered.seen.insert("called");
      }
      continue;
    }
    covered.points += points.at("seen").size() + points.at("unseen").size();
    for (const auto& text : points.at("seen")) {
      covered.seen.insert(kind + ' ' + text.get<std::string>());
    }
  }
  return covered;
}

json points_without(const std::set<std::string>& points, const std::set<std::string>& others) {
  auto left = json::array();
  std::ranges::set_difference(points, others, std::back_inserter(left));
  return left;
}

bool is_less(std::size_t seen, std::size_t points, std::size_t old_seen, std::size_t old_points) {
  return points != 0 && old_points != 0 && seen * old_points < old_seen * points;
}

// Operations whose coverage differs.
json changes_of_coverage(const json& before, const json& after, const ChangeReasons& reasons) {
  const auto& old = before.at("coverage").at("operations");
  const auto& now = after.at("coverage").at("operations");
  std::set<std::string> ids;
  for (const auto* operations : {&old, &now}) {
    for (const auto& [id, operation] : operations->items()) {
      ids.insert(id);
    }
  }
  auto changes = json::array();
  for (const auto& id : ids) {
    const auto one = old.contains(id) ? covered_points(old.at(id)) : CoveredPoints{};
    const auto other = now.contains(id) ? covered_points(now.at(id)) : CoveredPoints{};
    if (one.points != other.points || one.seen != other.seen) {
      changes.push_back(
          {{"operation", id},
           {"before", {{"seen", one.seen.size()}, {"points", one.points}}},
           {"after", {{"seen", other.seen.size()}, {"points", other.points}}},
           {"lost", points_without(one.seen, other.seen)},
           {"gained", points_without(other.seen, one.seen)},
           {"less", is_less(other.seen.size(), other.points, one.seen.size(), one.points)},
           {"because", to_text(reasons.reason_of_coverage())}});
    }
  }
  return changes;
}

bool covers_less(const json& comparison) {
  const auto& before = comparison.at("old");
  const auto& after = comparison.at("new");
  return is_less(after.at("seen"), after.at("points"), before.at("seen"), before.at("points")) ||
         std::ranges::any_of(comparison.at("coverage"), [](const json& operation) {
           return operation.at("less").get<bool>();
         });
}

// An object with an empty array for each name.
json arrays_of(std::initializer_list<const char*> names) {
  auto arrays = json::object();
  for (const auto* name : names) {
    arrays[name] = json::array();
  }
  return arrays;
}

}  // namespace

json compare(const SavedRun& before, const SavedRun& after) {
  reject_foreign(before, after);
  const IndexedRun one(before.value);
  const IndexedRun other(after.value);
  const auto why_not = why_not_comparable(one, other);
  json value{{"comparison", kComparisonVersion},
             {"comparable", why_not.empty()},
             {"why_not", why_not},
             {"old", header_of(before)},
             {"new", header_of(after)},
             {"differences", differences(before.value, after.value)},
             {"findings", arrays_of({"new", "fixed", "still_failing", "not_seen"})},
             {"cases", arrays_of({"passed_to_failed", "passed_to_inconclusive", "no_longer_run",
                                  "newly_run", "slower"})},
             {"coverage", json::array()}};
  if (why_not.empty()) {
    const ChangeReasons reasons(one, other);
    add_changes_of_findings(one, other, reasons, value["findings"]);
    add_changes_of_cases(one, other, reasons, value["cases"]);
    value["coverage"] = changes_of_coverage(before.value, after.value, reasons);
  }
  return value;
}

int exit_of_comparison(const json& comparison, const std::set<FailOn>& fail_on) {
  constexpr int kNotComparable = 3;
  if (!comparison.at("comparable").get<bool>()) {
    return kNotComparable;
  }
  const auto& findings = comparison.at("findings");
  const auto& cases = comparison.at("cases");
  const bool fresh = std::ranges::any_of(
      findings.at("new"), [](const json& finding) { return finding.at("severity") == "error"; });
  const bool raised = std::ranges::any_of(findings.at("still_failing"), [](const json& finding) {
    return finding.contains("was") && checks::severity_from(text_of(finding, "was")) <
                                          checks::severity_from(text_of(finding, "severity"));
  });
  const auto lost = std::ranges::any_of(
      cases.at("no_longer_run"), [](const json& item) { return item.at("before") == "passed"; });
  const bool worse = raised || lost || !cases.at("passed_to_failed").empty() ||
                     !cases.at("passed_to_inconclusive").empty();
  return (fail_on.contains(FailOn::kNew) && fresh) || (fail_on.contains(FailOn::kWorse) && worse) ||
                 (fail_on.contains(FailOn::kLessCoverage) && covers_less(comparison))
             ? 1
             : 0;
}

}  // namespace contract_tests::report
