#include "contract_tests/report/formats/job_summary.hpp"

#include "contract_tests/findings/causes.hpp"
#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/baseline_value.hpp"
#include "contract_tests/report/formats/code_hosts.hpp"
#include "contract_tests/report/formats/console_summary.hpp"
#include "spec/text/markdown.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace contract_tests::report::formats {

using findings::text_of;
using nlohmann::json;
using spec::text::escape_markdown;

namespace {

constexpr std::size_t kMaxRows = 100;            // of a table
constexpr std::size_t kMaxCurlLines = 20;        // that are shown in full
constexpr std::size_t kMaxTableBytes = 250'000;  // of each of the tables; there are three
constexpr std::size_t kMaxCell = 400;            // characters
constexpr std::size_t kMaxCurl = 8'000;          // characters

std::string table_cell(const std::string& text) {
  return escape_markdown(spec::text::shortened(text, kMaxCell));
}

// A part that is folded until a reader clicks on its title.
std::string folded(const std::string& title, const std::string& inside) {
  return "\n<details><summary>" + escape_markdown(title) + "</summary>\n\n" + inside +
         "\n</details>\n";
}

using Row = std::vector<std::string>;

// At most as many rows as the limits allow, and the number of the others.
std::string table_of(const Row& names, const std::vector<Row>& rows) {
  const auto [text, left_out] = spec::text::markdown_table(names, rows, kMaxRows, kMaxTableBytes);
  return left_out == 0
             ? text
             : text + "\nand " + std::to_string(left_out) + " more: report.html lists them\n";
}

template <typename Cells>
std::string table_of_causes(const Row& names, const std::vector<json>& causes, const Cells& cells) {
  std::vector<Row> rows;
  std::ranges::transform(causes, std::back_inserter(rows), cells);
  return table_of(names, rows);
}

Row cells_of_cause(const json& cause) {
  return {text_of(cause, "severity") + (text_of(cause, "state") == "expired" ? ", expired" : ""),
          table_cell(text_of(cause, "rule")), table_cell(findings::sentence_of(cause)),
          table_cell(text_of(cause, "stated_at"))};
}

struct CausesByState {
  std::vector<json> errors;  // and warnings
  std::vector<json> notes;
  std::vector<json> known;
};

CausesByState causes_by_state(const json& run) {
  CausesByState parts;
  for (const auto& cause : run.at("causes")) {
    auto& part = baseline_knows(cause)                  ? parts.known
                 : text_of(cause, "severity") == "note" ? parts.notes
                                                        : parts.errors;
    part.push_back(cause);
  }
  return parts;
}

// The requests that show the first causes again.
std::string curl_lines(const json& run, const std::vector<json>& causes) {
  std::map<std::string, std::string> curls;
  for (const auto& found : distinct_findings(run)) {
    curls[text_of(*found.finding, "fingerprint")] = text_of(*found.finding, "curl");
  }
  std::string lines;
  for (std::size_t at = 0; at < causes.size() && at < kMaxCurlLines; ++at) {
    const auto curl = curls.find(text_of(causes[at], "fingerprint"));
    if (curl != curls.end() && !curl->second.empty()) {
      lines += "- " + table_cell(text_of(causes[at], "rule")) + ": <code>" +
               escape_markdown(spec::text::shortened(curl->second, kMaxCurl)) + "</code>\n";
    }
  }
  return lines.empty() ? "" : folded("Reproduce", lines);
}

std::string known_part(const json& run, const std::vector<json>& known) {
  if (known.empty()) {
    return {};
  }
  const auto entries = entries_by_id(run);
  const auto cells = [&entries](const json& cause) -> Row {
    const auto entry = entries.find(text_of(cause, "fingerprint"));
    const auto cell = [&](const char* key) {
      return entry == entries.end() ? "" : table_cell(text_of(*entry->second, key));
    };
    return {table_cell(text_of(cause, "rule")), table_cell(findings::sentence_of(cause)),
            cell("reason"), cell("expires")};
  };
  return folded("Known findings: " + std::to_string(known.size()),
                table_of_causes({"rule", "finding", "reason", "expires"}, known, cells));
}

std::string reasons_part(const json& run, const std::string& verdict, const std::string& title) {
  std::string lines;
  std::size_t shown = 0;
  for (const auto& reason : run.at("reasons")) {
    if (text_of(reason, "verdict") == verdict && shown < kMaxRows) {
      lines +=
          "- " + reason.at("cases").dump() + ": " + table_cell(text_of(reason, "reason")) + '\n';
      ++shown;
    }
  }
  return lines.empty() ? "" : folded(title, lines);
}

// Points of an operation that were seen, and all of them.
Row cells_of_operation(const std::string& name, const json& operation) {
  std::vector<std::string> unseen;
  std::size_t seen = 0;
  for (const auto& [kind, points] : operation.items()) {
    if (points.is_object()) {
      seen += points.at("seen").size();
      for (const auto& point : points.at("unseen")) {
        unseen.push_back(point.get<std::string>());
      }
    }
  }
  constexpr std::size_t kFew = 3;
  return {table_cell(name), std::to_string(seen) + " of " + std::to_string(seen + unseen.size()),
          unseen.empty() ? "" : table_cell(spec::text::names_listed(unseen, kFew))};
}

std::string coverage_part(const json& run) {
  std::vector<Row> rows;
  for (const auto& [name, operation] : run.at("coverage").at("operations").items()) {
    rows.push_back(cells_of_operation(name, operation));
  }
  return rows.empty() ? ""
                      : folded("Coverage by operation",
                               table_of({"operation", "points covered", "not covered"}, rows));
}

std::string problems_part(const json& run) {
  std::string lines;
  std::size_t shown = 0;
  for (const auto& problem : run.at("problems")) {
    if (++shown <= kMaxRows) {
      lines += "\n**" + table_cell(problem.get<std::string>()) + "**\n";
    }
  }
  return lines;
}

// Parts as far as the limit goes.
class Parts {
 public:
  void add(const std::string& part) {
    const bool fits = text_.size() + part.size() + kEnd.size() <= kMaxJobSummaryBytes;
    text_ += fits ? part : "";
    whole_ = whole_ && fits;
  }

  std::string take() { return text_ + std::string(whole_ ? "\n" : kEnd); }

 private:
  static constexpr std::string_view kEnd =
      "\nSome parts are left out, because a job summary has a limit: report.html has them.\n\n";

  std::string text_;
  bool whole_ = true;
};

// The last line of the summary for people.
std::string verdict_line(const json& run) {
  const auto text = summary(run);
  const auto end = text.find_last_not_of('\n');
  const auto begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

}  // namespace

std::string job_summary(const json& run) {
  const auto causes = causes_by_state(run);
  const Row columns{"severity", "rule", "finding", "stated at"};
  Parts parts;
  parts.add("## Contract tests: " + text_of(run, "verdict") + "\n\n" +
            escape_markdown(verdict_line(run)) + '\n');
  parts.add(problems_part(run));
  if (!causes.errors.empty()) {
    parts.add("\n### Findings\n\n" + table_of_causes(columns, causes.errors, &cells_of_cause));
    parts.add(curl_lines(run, causes.errors));
  }
  parts.add(known_part(run, causes.known));
  if (!causes.notes.empty()) {
    parts.add(folded("Notes: " + std::to_string(causes.notes.size()),
                     table_of_causes(columns, causes.notes, &cells_of_cause)));
  }
  parts.add(reasons_part(run, "inconclusive", "Inconclusive cases"));
  parts.add(reasons_part(run, "skipped", "Skipped cases"));
  parts.add(coverage_part(run));
  return parts.take();
}

}  // namespace contract_tests::report::formats
