#include "contract_tests/report/formats/comparison_text.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/formats/console_summary.hpp"
#include "spec/contract/checking/contract_coverage.hpp"
#include "spec/text/markdown.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace contract_tests::report::formats {

using findings::text_of;
using nlohmann::json;
using spec::text::escape_markdown;

namespace {

struct ComparisonLine {
  std::string what;     // "error schema/required GET /customers: body/email: must ..."
  std::string because;  // "service"; "" if no reason is given
};

struct ComparisonSection {
  std::string title;
  std::vector<ComparisonLine> lines;
};

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

// The two runs, or why they cannot be compared.
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

// "contract: a -> b", one for each difference that can be a reason of changes.
std::vector<std::string> difference_lines(const json& comparison) {
  std::vector<std::string> lines;
  for (const auto& difference : comparison.at("differences")) {
    lines.push_back(text_of(difference, "what") + ": " +
                    spec::text::shortened(text_of(difference, "before")) + " -> " +
                    spec::text::shortened(text_of(difference, "after")));
  }
  return lines;
}

// "1 new, 2 fixed, ...; coverage 61.0 % -> 62.1 %".
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

// Those that have lines, the most important first.
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

}  // namespace

std::string comparison_text(const json& comparison) {
  constexpr std::size_t kMaxLines = 60;  // of a section
  auto out = comparability(comparison) + '\n';
  const auto differences = difference_lines(comparison);
  for (const auto& line : differences) {
    out += "  differs: " + line + '\n';
  }
  if (!comparison.at("comparable").get<bool>()) {
    return out;
  }
  if (differences.empty()) {
    out += "  contract, plan, seed and settings are the same\n";
  }
  for (const auto& section : comparison_sections(comparison)) {
    std::vector<std::string> lines;
    for (const auto& [what, because] : section.lines) {
      lines.push_back(what + (because.empty() ? "" : " (" + because + ')'));
    }
    out += paragraph(section.title, lines, kMaxLines, "--format json has all");
  }
  return out + '\n' + comparison_totals(comparison) + '\n';
}

std::string comparison_markdown(const json& comparison) {
  constexpr std::size_t kMaxMarkdownBytes = 60'000;
  auto out = "### Contract tests: " + escape_markdown(comparability(comparison)) + "\n\n";
  for (const auto& line : difference_lines(comparison)) {
    out += "- differs: " + escape_markdown(line) + '\n';
  }
  if (!comparison.at("comparable").get<bool>()) {
    return out;
  }
  out += "\n**" + escape_markdown(comparison_totals(comparison)) + "**\n";
  std::size_t left_out = 0;
  for (const auto& section : comparison_sections(comparison)) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& [what, because] : section.lines) {
      rows.push_back({escape_markdown(what), escape_markdown(because)});
    }
    const auto title = "\n#### " + escape_markdown(section.title) + "\n\n";
    const auto used =
        left_out > 0 ? kMaxMarkdownBytes : std::min(kMaxMarkdownBytes, out.size() + title.size());
    const auto table = spec::text::markdown_table({"change", "because of"}, rows, rows.size(),
                                                  kMaxMarkdownBytes - used);
    out += table.left_out < rows.size() ? title + table.text : "";
    left_out += table.left_out;
  }
  return left_out == 0
             ? out
             : out + "\nand " + std::to_string(left_out) + " more; `--format json` has all\n";
}

}  // namespace contract_tests::report::formats
