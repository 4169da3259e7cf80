#include "contract_tests/report/changed_findings.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/run_cases.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

namespace contract_tests::report {

using findings::text_of;
using nlohmann::json;
using run::Verdict;

namespace {

ChangeReason only_one(bool contract, bool plan, bool service) {
  if (contract + plan + service != 1) {
    return ChangeReason::kUnknown;
  }
  return contract ? ChangeReason::kContract : plan ? ChangeReason::kPlan : ChangeReason::kService;
}

bool differs(const json& before, const json& after, const char* key) {
  return before.at(key) != after.at(key);
}

std::string spelt(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Requests and responses of a listed case: equal where nothing says that the service changed.
bool same_steps(const json& before, const json& after) {
  if (before.empty() || before.size() != after.size()) {
    return false;
  }
  for (std::size_t at = 0; at < before.size(); ++at) {
    if (differs(before.at(at), after.at(at), "request") ||
        differs(before.at(at), after.at(at), "hash")) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string_view to_text(ChangeReason because) {
  static constexpr std::array<std::string_view, 4> kTexts{"contract", "plan", "service",
                                                          "cannot tell"};
  return kTexts.at(static_cast<std::size_t>(because));
}

IndexedRun::IndexedRun(const json& run) : value(run) {
  for (const auto& item : run.at("cases")) {
    by_id[item.at("id").get_ref<const std::string&>()] = &item;
  }
}

const json* IndexedRun::find(std::string_view id) const {
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : found->second;
}

Verdict verdict_of(const json& item) {
  return run::verdict_from(text_of(item, "verdict")).value();
}

bool is_decided(const json* item) {
  return item != nullptr && verdict_of(*item) != Verdict::kSkipped &&
         verdict_of(*item) != Verdict::kInconclusive;
}

json differences(const json& before, const json& after) {
  auto all = json::array();
  const auto add = [&all](const std::string& what, const json& old, const json& now) {
    if (old != now) {
      all.push_back({{"what", what}, {"before", spelt(old)}, {"after", spelt(now)}});
    }
  };
  add("contract", before.at("contract_hash"), after.at("contract_hash"));
  add("name of the contract", before.at("contract"), after.at("contract"));
  add("plan", before.at("plan").at("hash"), after.at("plan").at("hash"));
  add("rules, cases or severities", before.at("plan").at("basis"), after.at("plan").at("basis"));
  add("seed", before.at("plan").at("seed"), after.at("plan").at("seed"));
  add("target", before.at("target"), after.at("target"));
  add("base URL", before.at("base_url"), after.at("base_url"));
  add("version of contract_tests", before.at("version"), after.at("version"));
  add("--document-only", before.at("document_only"), after.at("document_only"));
  for (const auto& [name, value] : before.at("settings").items()) {
    add("setting " + name, value, after.at("settings").value(name, json()));
  }
  return all;
}

ChangeReasons::ChangeReasons(const IndexedRun& before, const IndexedRun& after)
    : before_(before), after_(after) {
  const auto& one = before.value;
  const auto& other = after.value;
  contract_ = differs(one, other, "contract_hash") || differs(one, other, "document_only");
  const auto& plan = one.at("plan");
  const auto& other_plan = other.at("plan");
  const auto& settings = one.at("settings");
  const auto& other_settings = other.at("settings");
  plan_ = differs(plan, other_plan, "basis") || differs(plan, other_plan, "seed") ||
          differs(one, other, "version") || differs(settings, other_settings, "tolerate") ||
          differs(settings, other_settings, "repeat") ||
          differs(settings, other_settings, "subjects") ||
          // The contract makes plans differ too.
          (!contract_ && differs(plan, other_plan, "hash"));
  selection_ = plan_ || settings != other_settings;
}

bool ChangeReasons::got_the_same_responses(const std::string& id) const {
  const auto* before = before_.find(id);
  const auto* after = after_.find(id);
  return before != nullptr && after != nullptr &&
         same_steps(before->value("steps", json::array()), after->value("steps", json::array()));
}

ChangeReason ChangeReasons::reason_of_findings(const std::vector<std::string>& ids) const {
  bool decided = false;  // one of them was decided in both runs
  bool same = false;
  for (const auto& id : ids) {
    decided = decided || (is_decided(before_.find(id)) && is_decided(after_.find(id)));
    same = same || got_the_same_responses(id);
  }
  if (!decided && !ids.empty()) {
    return reason_of_selection(ids.front());
  }
  if (!contract_ && !plan_) {
    return ChangeReason::kService;
  }
  return only_one(contract_, plan_, !same);
}

ChangeReason ChangeReasons::reason_of_selection(std::string_view id) const {
  const bool in_both = before_.find(id) != nullptr && after_.find(id) != nullptr;
  return only_one(contract_, selection_, in_both && (contract_ || selection_));
}

ChangeReason ChangeReasons::reason_of_coverage() const {
  return only_one(contract_, selection_, true);
}

namespace {

// A finding of a run, in all cases that met it.
struct FindingCases {
  checks::Severity severity = checks::Severity::kNote;
  std::vector<std::string> cases;
  std::string operation_name;
  const json* full = nullptr;  // of a case with details, else its cause; null if neither has it
};

struct FindingsOfRun {
  std::map<std::string, FindingCases> by_fingerprint;
  std::vector<std::string> order;  // by first case
  // Rule, place and operation of repeated findings: what several operations do is one finding.
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
      if (found.full == nullptr && has_details(item)) {
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

// True if `run` reports the same for this operation together with another one.
bool is_reported(const FindingsOfRun& run, const FindingCases& found) {
  return found.full != nullptr &&
         run.of_others.contains(
             {text_of(*found.full, "rule"), text_of(*found.full, "place"), found.operation_name});
}

json change_of(const std::string& fingerprint, const FindingCases& found, ChangeReason because) {
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

// True if every case that found it ran to a verdict again, and so did not find it.
bool ran_again(const FindingCases& found, const IndexedRun& after) {
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
                             const ChangeReasons& reasons, json& changes) {
  const auto old = findings_of(before);
  const auto now = findings_of(after);
  for (const auto& fingerprint : now.order) {
    const auto& found = now.by_fingerprint.at(fingerprint);
    const auto known = old.by_fingerprint.find(fingerprint);
    if (known == old.by_fingerprint.end() && !is_reported(old, found)) {
      changes["new"].push_back(
          change_of(fingerprint, found, reasons.reason_of_findings(found.cases)));
      continue;
    }
    auto change = change_of(fingerprint, found, ChangeReason::kUnknown);
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
        change_of(fingerprint, found, reasons.reason_of_findings(found.cases)));
  }
  for (auto& list : changes) {
    put_errors_first(list);
  }
}

}  // namespace contract_tests::report
