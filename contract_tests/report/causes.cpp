#include "contract_tests/report/causes.hpp"

#include "contract_tests/report/failure_text.hpp"
#include "spec/http/method.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace contract_tests::report {

using checks::Finding;
using nlohmann::json;

namespace {

constexpr std::string_view kBut = ", but ";

// Whether the finding is about what was done with the request, not about a part of the response.
bool is_about_request(const Finding& finding) {
  return finding.place == "status" && !finding.changed.empty();
}

// The pointer of a statement below an operation, without the operation and without indices: the
// same parameter or response of many operations is one cause.
std::string statement_of(std::string_view pointer) {
  constexpr std::string_view kPaths = "/paths/";
  if (pointer.starts_with(kPaths)) {
    pointer.remove_prefix(kPaths.size());
    pointer.remove_prefix(std::min(pointer.find('/'), pointer.size()));
    const auto token = pointer.substr(0, pointer.find('/', 1));
    if (std::ranges::any_of(spec::http::kMethods, [token](const spec::http::Method& method) {
          return token.size() == method.field.size() + 1 && token.ends_with(method.field);
        })) {
      pointer.remove_prefix(token.size());
    }
  }
  return checks::without_indices(pointer);
}

// `text` with "#" for numbers and quoted texts.
std::string shape_of(std::string_view text) {
  std::string shape;
  for (std::size_t at = 0; at < text.size();) {
    const auto quote = text[at] == '"' ? text.find('"', at + 1) : std::string_view::npos;
    if (quote != std::string_view::npos) {
      shape += '#';
      at = quote + 1;
    } else if (spec::text::is_digit(text[at])) {
      shape += '#';
      at = std::min(text.find_first_not_of("0123456789.", at), text.size());
    } else {
      shape += text[at++];
    }
  }
  return shape;
}

// Errors first, of these the known ones last; then warnings, then notes.
std::pair<int, bool> rank_of(const Finding& finding) {
  return {-static_cast<int>(finding.severity), finding.state == checks::State::kKnown};
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) {
    names.push_back(name);
  }
}

}  // namespace

std::string cause_key(const Finding& finding) {
  const auto& message = finding.message;
  const auto but = message.find(kBut);
  auto key = std::string(to_text(finding.severity)) + '\n' + finding.rule + '\n' +
             statement_of(finding.source.pointer) + '\n' + checks::kind_place_of(finding) + '\n' +
             shape_of(message.substr(0, but));
  if (finding.place == "status" && but != std::string::npos) {
    key += '\n' + message.substr(but);  // 404 and 500 have different causes
  }
  if (finding.state) {
    key += '\n' + std::string(to_text(*finding.state));
  }
  return is_about_request(finding) ? key + '\n' + checks::request_part_of(finding.changed).place
                                   : key;
}

Causes::Causes(const run::Plan& plan, const run::Outcomes& outcomes) {
  std::map<std::string, Cause> causes;
  std::vector<std::string> order;
  for (const auto& [index, outcome] : outcomes) {
    const auto& item = plan.cases.at(index);
    for (const auto& finding : outcome.findings) {
      if (finding.rule.empty()) {
        continue;  // it was read without details
      }
      auto key = cause_key(finding);
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
    auto part = checks::request_part_of(finding.changed);
    place = part.place.empty() ? place : part.place;
    value = std::move(part.value);
  }
  json made{{"severity", to_text(finding.severity)},
            {"rule", finding.rule},
            {"class", spec::contract::to_text(finding.source.statement_class)},
            {"clause", finding.source.clause},
            {"stated_at", finding.source.place},
            {"pointer", finding.source.pointer},
            {"operations", cause.operations},
            {"place", std::move(place)},
            {"value", std::move(value)},
            {"message", finding.message},
            {"cases", cause.cases},
            {"case", cause.item->id},
            {"sentence", cause.item->sentence},
            {"fingerprint", finding.fingerprint}};
  if (finding.state) {
    made["state"] = to_text(*finding.state);
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

}  // namespace contract_tests::report
