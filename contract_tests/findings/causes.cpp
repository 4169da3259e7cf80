#include "contract_tests/findings/causes.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace contract_tests::findings {

using checks::Finding;
using nlohmann::json;

namespace {

// True if the finding is about what was done with the request, not about a part of the response.
bool is_about_request(const Finding& finding) {
  return finding.place == "status" && !finding.changed.empty();
}

// Errors first, of these the known ones last; then warnings, then notes.
std::pair<int, bool> rank_of(const Finding& finding) {
  return {-static_cast<int>(finding.severity), finding.state == checks::FindingState::kKnown};
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) {
    names.push_back(name);
  }
}

}  // namespace

Causes::Causes(const run::Plan& plan, const run::Outcomes& outcomes) {
  std::map<std::string, Cause> causes;
  std::vector<std::string> order;
  for (const auto& [index, outcome] : outcomes) {
    const auto& item = plan.cases.at(index);
    for (const auto& finding : outcome.findings) {
      if (finding.rule.empty()) {
        continue;  // it was read without details
      }
      auto key = key_of(finding, checks::KeyScope::kCause);
      auto& cause = causes[key];
      if (cause.item == nullptr) {
        order.push_back(std::move(key));
      }
      const bool failed = outcome.verdict == run::Verdict::kFailed;
      if (cause.item == nullptr || (failed && cause.outcome->verdict != run::Verdict::kFailed)) {
        cause.item = &item;
        cause.outcome = &outcome;
        cause.finding = &finding;
      }
      ++cause.cases;
      add_once(cause.operations, item.operation_name);
      for (const auto& operation : finding.operations) {
        add_once(cause.operations, operation);
      }
    }
  }
  std::ranges::stable_sort(order, [&causes](const auto& one, const auto& other) {
    return rank_of(*causes.at(one).finding) < rank_of(*causes.at(other).finding);
  });
  for (auto& key : order) {
    indices_[key] = causes_.size();
    causes_.push_back(std::move(causes.at(key)));
  }
}

json to_json(const Cause& cause) {
  const auto& finding = *cause.finding;
  auto place = finding.place;
  std::string value;
  if (is_about_request(finding)) {
    const auto& [part, name, sent, words, reduced] = finding.changed;
    place = part.empty() ? place : finding.changed.place();
    value = sent.value_or(words) + (reduced ? " (reduced)" : "");
  }
  json made{{"severity", checks::to_text(finding.severity)},
            {"rule", finding.rule},
            {"class", spec::contract::to_text(finding.source.statement_class)},
            {"clause", finding.source.clause},
            {"stated_at", finding.source.place},
            {"pointer", finding.source.pointer},
            {"operations", cause.operations},
            {"place", std::move(place)},
            {"value", std::move(value)},
            {"message", finding.message.text()},
            {"cases", cause.cases},
            {"case", cause.item->id},
            {"sentence", cause.item->sentence},
            {"fingerprint", finding.fingerprint}};
  if (finding.state) {
    made["state"] = checks::to_text(*finding.state);
  }
  const auto met = cause.outcome->met.find(finding.fingerprint);
  if (met != cause.outcome->met.end()) {
    made["met"] = met->second;
    made["repeats"] = cause.outcome->repeats.of;
  }
  return made;
}

std::string line_of(const json& cause) {
  return text_of(cause, "severity") + ' ' + text_of(cause, "rule") + ' ' + sentence_of(cause);
}

std::string sentence_of(const json& cause) {
  constexpr std::size_t kFew = 2;
  constexpr std::size_t kMaxMessage = 240;
  const auto operations = cause.at("operations").get<std::vector<std::string>>();
  auto line = spec::text::names_listed(operations, kFew) + ": ";
  const auto place = text_of(cause, "place");
  const auto value = text_of(cause, "value");
  if (!value.empty() && (place == "status" || value.find("${") != std::string::npos)) {
    line += text_of(cause, "sentence");  // what was sent has no place or no value of its own
  } else {
    line += place + (value.empty() ? "" : ' ' + spec::text::shortened(value));
  }
  line += ": " + spec::text::shortened(text_of(cause, "message"), kMaxMessage);
  if (cause.contains("met")) {
    line += " [" + cause.at("met").dump() + " of " + cause.at("repeats").dump() + " times]";
  }
  const auto cases = cause.at("cases").get<std::size_t>();
  if (cases > 1) {
    line += " [" + std::to_string(cases) + " cases]";
  }
  return line + " (" + text_of(cause, "clause") + ", " + text_of(cause, "class") + ')';
}

}  // namespace contract_tests::findings
