#include "contract_tests/runs/changed_findings.hpp"

#include "contract_tests/report/cases_value.hpp"
#include "contract_tests/report/failure_text.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace contract_tests::runs {

using nlohmann::json;
using report::text_of;

namespace {

// A finding of a run, in all cases that met it.
struct Found {
  checks::Severity severity = checks::Severity::kNote;
  std::vector<std::string> cases;
  std::string operation_name;
  const json* full = nullptr;  // of a case with details, else its cause; null where neither has it
};

struct FindingsOfRun {
  std::map<std::string, Found> by_fingerprint;
  std::vector<std::string> order;  // by first case
  // Rule, place and operation of habits: what several operations do is one finding.
  std::set<std::tuple<std::string, std::string, std::string>> of_others;
};

FindingsOfRun findings_of(const IndexedRun& run) {
  FindingsOfRun all;
  for (const auto& item : run.value.at("cases")) {
    for (const auto& finding : item.at("findings")) {
      const auto known = all.by_fingerprint.try_emplace(text_of(finding, "fingerprint"));
      auto& found = known.first->second;
      if (known.second) {
        all.order.push_back(known.first->first);
        found.operation_name = text_of(item, "operation_name");
      }
      const auto severity = checks::severity_from(text_of(finding, "severity")).value();
      found.severity = std::max(found.severity, severity);
      found.cases.push_back(text_of(item, "id"));
      if (found.full == nullptr && report::has_details(item)) {
        found.full = &finding;
      }
      for (const auto& operation : finding.value("operations", json::array())) {
        all.of_others.emplace(text_of(finding, "rule"), text_of(finding, "place"),
                              operation.get<std::string>());
      }
    }
  }
  for (const auto& cause : run.value.at("causes")) {
    const auto found = all.by_fingerprint.find(text_of(cause, "fingerprint"));
    if (found != all.by_fingerprint.end() && found->second.full == nullptr) {
      found->second.full = &cause;
    }
  }
  return all;
}

// Whether `run` has the same for this operation, reported with another one.
bool is_reported(const FindingsOfRun& run, const Found& found) {
  return found.full != nullptr &&
         run.of_others.contains(
             {text_of(*found.full, "rule"), text_of(*found.full, "place"), found.operation_name});
}

json change_of(const std::string& fingerprint, const Found& found, Because because) {
  constexpr std::size_t kShown = 5;
  auto cases = json::array();
  for (std::size_t at = 0; at < std::min(found.cases.size(), kShown); ++at) {
    cases.push_back(found.cases[at]);
  }
  const auto text = [&found](const char* key) {
    return found.full == nullptr ? "" : text_of(*found.full, key);
  };
  return {{"fingerprint", fingerprint},     {"severity", to_text(found.severity)},
          {"rule", text("rule")},           {"class", text("class")},
          {"clause", text("clause")},       {"operation_name", found.operation_name},
          {"place", text("place")},         {"message", text("message")},
          {"stated_at", text("stated_at")}, {"case_count", found.cases.size()},
          {"cases", std::move(cases)},      {"because", to_text(because)}};
}

// Whether every case that found it ran to a verdict again, and so did not find it.
bool ran_again(const Found& found, const IndexedRun& after) {
  return std::ranges::all_of(found.cases,
                             [&](const auto& id) { return is_decided(after.find(id)); });
}

void put_errors_first(json& changes) {
  auto list = changes.get<std::vector<json>>();
  std::ranges::stable_sort(list, [](const json& one, const json& other) {
    return checks::severity_from(text_of(one, "severity")) >
           checks::severity_from(text_of(other, "severity"));
  });
  changes = list;
}

}  // namespace

void add_changes_of_findings(const IndexedRun& before, const IndexedRun& after,
                             const Reasons& reasons, json& changes) {
  const auto old = findings_of(before);
  const auto now = findings_of(after);
  for (const auto& fingerprint : now.order) {
    const auto& found = now.by_fingerprint.at(fingerprint);
    const auto known = old.by_fingerprint.find(fingerprint);
    if (known == old.by_fingerprint.end() && !is_reported(old, found)) {
      changes["new"].push_back(change_of(fingerprint, found, reasons.of_findings(found.cases)));
      continue;
    }
    auto change = change_of(fingerprint, found, Because::kUnknown);
    change.erase("because");
    if (known != old.by_fingerprint.end() && known->second.severity != found.severity) {
      change["was"] = to_text(known->second.severity);
    }
    changes["still_failing"].push_back(std::move(change));
  }
  for (const auto& fingerprint : old.order) {
    const auto& found = old.by_fingerprint.at(fingerprint);
    if (now.by_fingerprint.contains(fingerprint) || is_reported(now, found)) {
      continue;
    }
    changes[ran_again(found, after) ? "fixed" : "not_seen"].push_back(
        change_of(fingerprint, found, reasons.of_findings(found.cases)));
  }
  for (auto& list : changes) {
    put_errors_first(list);
  }
}

}  // namespace contract_tests::runs
