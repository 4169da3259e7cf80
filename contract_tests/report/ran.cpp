#include "contract_tests/report/ran.hpp"

#include "spec/text/number.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace contract_tests::report {

using nlohmann::json;

namespace {

constexpr std::string_view kNotAllowed = "not_allowed";
constexpr std::string_view kSendsNothing = "sends_nothing";
constexpr std::string_view kBeforeService = "before_service";
constexpr std::string_view kReason = "reason=";

// " errors=0123456789abcdef,fedcba9876543210" for the findings of each severity.
std::string marks_text(const std::vector<FindingMark>& marks) {
  std::string text;
  for (const auto severity :
       {checks::Severity::kError, checks::Severity::kWarning, checks::Severity::kNote}) {
    std::string list;
    for (const auto& mark : marks) {
      if (mark.severity == severity) {
        list += (list.empty() ? "" : ",") + mark.fingerprint;
      }
    }
    if (!list.empty()) {
      text += ' ' + std::string(to_text(severity)) + "s=" + list;
    }
  }
  return text;
}

// "17 failed 1234 a_plain_request_succeeds errors=0123456789abcdef": the suite's name is left out.
std::string ran_line(const RanCase& item) {
  auto line = std::to_string(item.index) + ' ' + std::string(to_text(item.verdict)) + ' ' +
              std::to_string(item.time.count()) + ' ' + item.id.substr(item.id.find('.') + 1);
  if (item.reason) {
    line += ' ' + std::string(kReason) + std::to_string(*item.reason);
  }
  line += marks_text(item.findings);
  const std::array<std::pair<bool, std::string_view>, 3> flags{
      {{item.not_allowed, kNotAllowed},
       {item.sends_nothing, kSendsNothing},
       {item.before_service, kBeforeService}}};
  for (const auto& [set, name] : flags) {
    line += set ? ' ' + std::string(name) : "";
  }
  return line;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

void take_word(std::string_view word, RanCase& item) {
  item.not_allowed = item.not_allowed || word == kNotAllowed;
  item.sends_nothing = item.sends_nothing || word == kSendsNothing;
  item.before_service = item.before_service || word == kBeforeService;
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) {
    return;
  }
  const auto value = word.substr(equals + 1);
  if (word.starts_with(kReason)) {
    item.reason = spec::text::parse_number<std::size_t>(value);
  } else if (const auto severity = checks::severity_from(word.substr(0, equals - 1))) {
    for (const auto fingerprint : split(value, ',')) {
      item.findings.push_back({*severity, std::string(fingerprint)});
    }
  }
}

}  // namespace

json ran_json(const std::vector<RanCase>& cases) {
  auto all = json::array();
  std::map<std::string_view, std::size_t> indices;
  for (const auto& item : cases) {
    const auto known = indices.try_emplace(item.operation_name, all.size());
    if (known.second) {
      all.push_back({{"operation", item.operation},
                     {"operation_name", item.operation_name},
                     {"suite", item.id.substr(0, item.id.find('.'))},
                     {"cases", json::array()}});
    }
    all.at(known.first->second).at("cases").push_back(ran_line(item));
  }
  return all;
}

std::vector<RanCase> ran_of(const json& run) {
  constexpr std::size_t kFixed = 4;  // index, verdict, time, name
  std::vector<RanCase> cases;
  for (const auto& operation : run.at("ran")) {
    const auto name = operation.at("operation_name").get<std::string>();
    const auto suite = operation.at("suite").get<std::string>() + '.';
    for (const auto& line : operation.at("cases")) {
      const auto words = split(line.get_ref<const std::string&>(), ' ');
      auto& item = cases.emplace_back();
      item.operation = operation.at("operation").get<std::string>();
      item.operation_name = name;
      item.index = spec::text::parse_number<std::size_t>(words.at(0)).value_or(0);
      item.verdict = run::verdict_from(words.at(1)).value_or(run::Verdict::kSkipped);
      item.time = std::chrono::microseconds(
          spec::text::parse_number<std::int64_t>(words.at(2)).value_or(0));
      item.id = suite + std::string(words.at(3));
      for (std::size_t at = kFixed; at < words.size(); ++at) {
        take_word(words[at], item);
      }
    }
  }
  std::ranges::stable_sort(cases, {}, &RanCase::index);
  return cases;
}

}  // namespace contract_tests::report
