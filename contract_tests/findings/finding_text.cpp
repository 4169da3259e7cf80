#include "contract_tests/findings/finding_text.hpp"

#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

namespace contract_tests::findings {

using nlohmann::json;

std::string text_of(const json& value, const char* key) {
  return value.value(key, "");
}

namespace {

void line(std::string& text, std::string_view label, const std::string& value) {
  constexpr std::size_t kColumn = 10;
  if (!value.empty()) {
    text += "  " + std::string(label);
    text.append(kColumn - label.size(), ' ');
    text += value + '\n';
  }
}

// Cuts ":12" off the end of `text`.
std::optional<std::size_t> take_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  const auto digits = text.substr(colon + 1);
  if (!spec::text::is_all_digits(digits) || digits.size() > 9) {
    return std::nullopt;
  }
  text = text.substr(0, colon);
  return std::stoul(std::string(digits));
}

}  // namespace

std::optional<StatedAt> stated_at_from(std::string_view text) {
  const auto column = take_number(text);
  const auto line = take_number(text);
  return line && column && !text.empty()
             ? std::optional(StatedAt{std::string(text), *line, *column})
             : std::nullopt;
}

checks::Severity severity_that_fails(std::string_view fail_on) {
  return checks::severity_from(fail_on).value_or(checks::Severity::kError);
}

bool fails(const json& run, const json& finding) {
  const auto fail_on = run.value("/settings/fail_on"_json_pointer, std::string());
  return checks::severity_from(text_of(finding, "severity")) >= severity_that_fails(fail_on);
}

std::string headline(const json& finding) {
  return text_of(finding, "severity") + ' ' + text_of(finding, "rule") + " (" +
         text_of(finding, "class") + ", " + text_of(finding, "clause") + ')';
}

std::string failure_text(const std::string& operation, const std::string& sentence,
                         const json& finding) {
  auto text = operation + ": " + sentence + "\n  " + headline(finding) + '\n';
  auto stated = text_of(finding, "stated_at");
  const auto pointer = text_of(finding, "pointer");
  stated += stated.empty() || pointer.empty() ? pointer : ' ' + pointer;
  const auto changed = text_of(finding, "changed");
  line(text, "stated at", stated);
  line(text, "place", text_of(finding, "place"));
  line(text, "expected", text_of(finding, "must"));
  line(text, "actual", text_of(finding, "is"));
  line(text, "request", changed.empty() ? "a plain request" : changed);
  line(text, "response", text_of(finding, "response"));
  line(text, "excerpt", text_of(finding, "excerpt"));
  line(text, "reproduce", text_of(finding, "curl"));
  line(text, "id", text_of(finding, "fingerprint"));
  line(text, "baseline", text_of(finding, "state"));
  return text;
}

json to_json(const checks::Finding& finding) {
  json value{{"rule", finding.rule},
             {"severity", to_text(finding.severity)},
             {"class", spec::contract::to_text(finding.source.statement_class)},
             {"clause", finding.source.clause},
             {"pointer", finding.source.pointer},
             {"stated_at", finding.source.place},
             {"place", finding.place},
             {"message", finding.message.text()},
             {"must", finding.message.must},
             {"is", finding.message.is},
             {"status", finding.status},
             {"changed", finding.changed.text()},
             {"response", finding.response},
             {"excerpt", finding.excerpt},
             {"curl", finding.curl},
             {"fingerprint", finding.fingerprint}};
  if (!finding.kind_place.empty()) {
    value["kind_place"] = finding.kind_place;
  }
  if (!finding.changed.empty()) {
    value["change"] = to_json(finding.changed);
  }
  if (finding.state) {
    value["state"] = to_text(*finding.state);
  }
  if (!finding.operations.empty()) {
    value["operations"] = finding.operations;
    value["fingerprints"] = finding.fingerprints;
  }
  return value;
}

std::string failure_text(const run::Case& item, const checks::Finding& finding) {
  return failure_text(item.operation_name, item.sentence, to_json(finding));
}

}  // namespace contract_tests::findings
