#include "contract_tests/checks/finding.hpp"

#include "spec/json/pointer.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/random.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace contract_tests::checks {

using nlohmann::json;

namespace {

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4U) {
    *digit = spec::text::kHexDigits[value & 15U];
  }
  return text;
}

constexpr std::array<std::string_view, 3> kSeverities{"note", "warning", "error"};
constexpr std::array<std::string_view, 3> kStates{"new", "known", "expired"};

// The pointer of a statement without the operation that it is below, and without indices: the same
// parameter or response of many operations is one statement.
std::string statement_of(std::string_view pointer) {
  auto tokens = spec::json::split_pointer(pointer).value_or(std::vector<std::string>{});
  if (tokens.size() > 2 && tokens.front() == "paths") {
    tokens.erase(tokens.begin(), tokens.begin() + (tokens[2] == "parameters" ? 2 : 3));
  }
  return without_indices(spec::json::pointer_of(tokens));
}

// `text` with "#" for numbers and quoted texts: what is required, whatever the values are.
std::string without_values(std::string_view text) {
  std::string shape;
  for (std::size_t at = 0; at < text.size();) {
    const auto quote = text[at] == '"' ? text.find('"', at + 1) : std::string_view::npos;
    const bool is_number = spec::text::is_digit(text[at]);
    shape += quote != std::string_view::npos || is_number ? '#' : text[at];
    const auto end = is_number ? text.find_first_not_of("0123456789.", at)
                               : (quote != std::string_view::npos ? quote : at) + 1;
    at = std::min(end, text.size());
  }
  return shape;
}

}  // namespace

std::string_view to_text(Severity severity) {
  return kSeverities.at(static_cast<std::size_t>(severity));
}

std::string_view to_text(FindingState state) {
  return kStates.at(static_cast<std::size_t>(state));
}

std::optional<Severity> severity_from(std::string_view text) {
  const auto* found = std::ranges::find(kSeverities, text);
  if (found == kSeverities.end()) {
    return std::nullopt;
  }
  return static_cast<Severity>(found - kSeverities.begin());
}

std::string stable_hash(std::string_view text) {
  return hex(spec::text::text_hash(text));
}

std::string without_indices(std::string_view place) {
  std::string text;
  while (!place.empty()) {
    const auto slash = std::min(place.find('/'), place.size());
    const auto token = place.substr(0, slash);
    text += spec::text::is_all_digits(token) ? std::string_view("*") : token;
    if (slash < place.size()) {
      text += '/';
    }
    place.remove_prefix(std::min(slash + 1, place.size()));
  }
  return text;
}

std::string kind_place_of(const Finding& finding) {
  return without_indices(finding.kind_place.empty() ? finding.place : finding.kind_place);
}

std::string Change::place() const {
  return part + (name.empty() ? "" : '/' + name);
}

std::string Change::text() const {
  auto text = part;
  if (!name.empty()) {
    text += (part == "body" ? " /" : " ") + name;
  } else if (!part.empty()) {
    text += ':';
  }
  if (value) {
    text += (part == "header" ? ": " : part == "body" ? " = " : "=") + *value;
  }
  text += (text.empty() || words.empty() ? "" : " ") + words;
  return reduced ? text + " (reduced)" : text;
}

json to_json(const Change& change) {
  json value{{"part", change.part}, {"name", change.name}, {"words", change.words}};
  if (change.value) {
    value["value"] = *change.value;
  }
  if (change.reduced) {
    value["reduced"] = true;
  }
  return value;
}

Change change_from(const json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  Change change(value.value("part", ""), value.value("name", ""), std::nullopt,
                value.value("words", ""));
  if (value.contains("value")) {
    change.value = value.at("value").get<std::string>();
  }
  change.reduced = value.value("reduced", false);
  return change;
}

std::string key_of(const RuleViolation& violation) {
  const auto& place = violation.kind_place.empty() ? violation.place : violation.kind_place;
  return violation.rule + '\n' + (violation.source ? violation.source->pointer : "") + '\n' +
         without_indices(place) + '\n' + violation.property;
}

std::string key_of(const Finding& finding, KeyScope same) {
  const auto place = kind_place_of(finding);
  const std::string state(finding.state ? to_text(*finding.state) : "");
  std::vector<std::string> key;
  switch (same) {
    case KeyScope::kRepeated: return spec::text::join(std::array{finding.rule, place, state}, "\n");
    case KeyScope::kCause:
      key = {std::string(to_text(finding.severity)), state, finding.rule,
             statement_of(finding.source.pointer),   place, without_values(finding.message.must)};
      break;
    case KeyScope::kViolation:
    case KeyScope::kFinding: {
      const auto& missing = finding.message.property;
      key = {finding.operation, finding.rule, finding.source.pointer,
             place + (missing.empty() ? "" : spec::text::in_quotes(missing))};
    }
  }
  if (same != KeyScope::kViolation && finding.place == "status") {
    key.insert(key.end(), {std::to_string(finding.status), finding.changed.place()});
  }
  return spec::text::join(key, "\n");
}

std::string fingerprint(const Finding& finding) {
  return stable_hash(key_of(finding, KeyScope::kFinding));
}

}  // namespace contract_tests::checks
