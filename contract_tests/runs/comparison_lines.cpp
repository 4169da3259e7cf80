#include "contract_tests/runs/comparison_lines.hpp"

#include "contract_tests/report/failure_text.hpp"
#include "spec/contract/checking/coverage.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace contract_tests::runs {

using nlohmann::json;
using report::text_of;

namespace {

std::string percent_of(const json& run) {
  return spec::contract::percent_text(run.at("seen"), run.at("points")) + " %";
}

ComparisonLine line_of_finding(const json& finding) {
  constexpr std::size_t kMaxWords = 240;
  const auto rule = text_of(finding, "rule");
  const bool is_full = !rule.empty();
  auto what = text_of(finding, "severity") + ' ' +
              (is_full ? rule : text_of(finding, "fingerprint")) + ' ' +
              text_of(finding, "operation_name");
  if (is_full) {
    what += ": " + text_of(finding, "place") + ": " +
            spec::text::shortened(text_of(finding, "message"), kMaxWords);
  }
  if (finding.contains("was")) {
    what += " (was " + text_of(finding, "was") + ')';
  }
  what += " [" + spec::text::counted(finding.at("case_count").get<std::size_t>(), "case", "cases") +
          ", " + finding.at("cases").at(0).get<std::string>() + ']';
  return {std::move(what), text_of(finding, "because")};
}

ComparisonLine line_of_case(const json& item) {
  const auto verdict = [&item](const char* key) {
    return item.at(key).is_null() ? std::string("not selected") : text_of(item, key);
  };
  const auto reason = text_of(item, "reason");
  return {text_of(item, "case") + ": " + verdict("before") + " -> " + verdict("after") +
              (reason.empty() ? "" : ": " + spec::text::shortened(reason, 200)),
          text_of(item, "because")};
}

std::string milliseconds(const json& microseconds) {
  return std::to_string(microseconds.get<std::int64_t>() / 1000) + " ms";
}

// A network or a machine may be the reason, too.
ComparisonLine line_of_time(const json& item) {
  return {text_of(item, "case") + ": " + milliseconds(item.at("before_us")) + " -> " +
              milliseconds(item.at("after_us")),
          ""};
}

std::string share(const json& part) {
  return part.at("seen").dump() + " of " + part.at("points").dump();
}

ComparisonLine line_of_coverage(const json& operation) {
  constexpr std::size_t kFewPoints = 3;
  auto what = text_of(operation, "operation") + ": " + share(operation.at("before")) + " -> " +
              share(operation.at("after")) + " points";
  const auto lost = operation.at("lost").get<std::vector<std::string>>();
  if (!lost.empty()) {
    what += "; no longer covered: " + spec::text::names_listed(lost, kFewPoints);
  }
  return {std::move(what), text_of(operation, "because")};
}

template <typename Line>
void add_section(const char* title, const json& entries, const Line& line,
                 std::vector<ComparisonSection>& sections) {
  if (entries.empty()) {
    return;
  }
  auto& section = sections.emplace_back();
  section.title = title;
  for (const auto& entry : entries) {
    section.lines.push_back(line(entry));
  }
}

}  // namespace

std::string comparability(const json& comparison) {
  const auto& before = comparison.at("old");
  const auto& after = comparison.at("new");
  auto text = comparison.at("comparable").get<bool>()
                  ? std::string("Compared: ")
                  : "Cannot be compared: " + text_of(comparison, "why_not") + ". Given: ";
  for (const auto* run : {&before, &after}) {
    text += text_of(*run, "contract") + " at " + text_of(*run, "base_url") + " (" +
            text_of(*run, "target") + ", " + text_of(*run, "started") +
            "): " + text_of(*run, "verdict") + (run == &before ? " -> " : ".");
  }
  return text;
}

std::vector<std::string> difference_lines(const json& comparison) {
  std::vector<std::string> lines;
  for (const auto& difference : comparison.at("differences")) {
    lines.push_back(text_of(difference, "what") + ": " +
                    spec::text::shortened(text_of(difference, "before")) + " -> " +
                    spec::text::shortened(text_of(difference, "after")));
  }
  return lines;
}

std::string comparison_totals(const json& comparison) {
  const auto& findings = comparison.at("findings");
  const auto& cases = comparison.at("cases");
  const auto count = [](const json& list) { return std::to_string(list.size()); };
  return count(findings.at("new")) + " new, " + count(findings.at("fixed")) + " fixed, " +
         count(findings.at("still_failing")) + " still failing, " + count(findings.at("not_seen")) +
         " not seen; cases: " + count(cases.at("passed_to_failed")) + " passed -> failed, " +
         count(cases.at("passed_to_inconclusive")) + " passed -> inconclusive, " +
         count(cases.at("no_longer_run")) + " no longer run, " + count(cases.at("newly_run")) +
         " newly run, " + count(cases.at("slower")) + " slower; coverage " +
         percent_of(comparison.at("old")) + " -> " + percent_of(comparison.at("new"));
}

std::vector<ComparisonSection> comparison_sections(const json& comparison) {
  const auto& findings = comparison.at("findings");
  const auto& cases = comparison.at("cases");
  std::vector<ComparisonSection> sections;
  add_section("New", findings.at("new"), line_of_finding, sections);
  add_section("Passed before, failed now", cases.at("passed_to_failed"), line_of_case, sections);
  add_section("Passed before, inconclusive now", cases.at("passed_to_inconclusive"), line_of_case,
              sections);
  add_section("No longer run", cases.at("no_longer_run"), line_of_case, sections);
  add_section("Not seen: the cases that found them did not run to a verdict",
              findings.at("not_seen"), line_of_finding, sections);
  add_section("Fixed", findings.at("fixed"), line_of_finding, sections);
  add_section("Still failing", findings.at("still_failing"), line_of_finding, sections);
  add_section("Newly run", cases.at("newly_run"), line_of_case, sections);
  add_section("Coverage by operation", comparison.at("coverage"), line_of_coverage, sections);
  add_section("Slower than twice, by 100 ms or more", cases.at("slower"), line_of_time, sections);
  return sections;
}

}  // namespace contract_tests::runs
