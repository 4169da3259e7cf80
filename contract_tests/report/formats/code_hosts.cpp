#include "contract_tests/report/formats/code_hosts.hpp"

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/findings/causes.hpp"
#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/run_cases.hpp"
#include "spec/contract/checking/contract_coverage.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace contract_tests::report::formats {

using findings::text_of;
using nlohmann::json;

namespace {

// A smaller one is worse.
std::tuple<int, bool> rank_of(const json& finding) {
  const auto severity = checks::severity_from(text_of(finding, "severity"));
  return {-static_cast<int>(severity.value_or(checks::Severity::kError)), baseline_knows(finding)};
}

}  // namespace

std::vector<DistinctFinding> distinct_findings(const json& run) {
  std::vector<DistinctFinding> all;
  std::map<std::string, std::size_t> indices;
  for (const auto& item : run.at("cases")) {
    if (!has_details(item)) {
      continue;
    }
    for (const auto& finding : item.at("findings")) {
      const auto [known, is_new] = indices.try_emplace(text_of(finding, "fingerprint"), all.size());
      if (is_new) {
        all.push_back({.finding = &finding, .item = &item});
      }
      ++all[known->second].cases;
    }
  }
  std::ranges::stable_sort(all, [](const auto& one, const auto& other) {
    return rank_of(*one.finding) < rank_of(*other.finding);
  });
  return all;
}

Location location_of(const json& run, const json& value) {
  const auto contract =
      std::filesystem::path(text_of(run.value("contract_file", json::object()), "path"));
  const auto stated = findings::stated_at_from(text_of(value, "stated_at"));
  if (!stated) {
    return {.path = contract.generic_string()};
  }
  return {.path = (contract.parent_path() / stated->file).lexically_normal().generic_string(),
          .line = std::max<std::size_t>(stated->line, 1),
          .column = std::max<std::size_t>(stated->column, 1)};
}

std::string statement_of(const json& value) {
  const auto stated = findings::stated_at_from(text_of(value, "stated_at"));
  const auto at = stated ? std::to_string(stated->line) + ':' + std::to_string(stated->column) : "";
  const auto pointer = text_of(value, "pointer");
  return at + (at.empty() || pointer.empty() ? "" : " ") + pointer;
}

std::string sentence_of(const DistinctFinding& found) {
  const auto place = text_of(*found.finding, "place");
  const auto changed = text_of(*found.finding, "changed");
  const bool of_request = place == "status" && !changed.empty();
  const bool is_named = changed.find("${") != std::string::npos;  // not by its value
  const auto sent = is_named ? text_of(*found.item, "sentence") : changed;
  return text_of(*found.item, "operation_name") + ": " + (of_request ? sent : place) + ": " +
         text_of(*found.finding, "message");
}

bool baseline_knows(const json& value) {
  return text_of(value, "state") == "known";
}

std::string left_out_sentence(const json& run, std::size_t findings) {
  std::string text;
  if (findings > 0) {
    text = spec::text::counted(findings, "finding is", "findings are") +
           " left out of this file, the least severe ones; run.json has them";
  }
  const auto cases = run.value("cases_left_out", std::size_t{0});
  if (cases > 0) {
    text += (text.empty() ? "" : "; ") + spec::text::counted(cases, "case is", "cases are") +
            " left out of run.json, with all findings";
  }
  return text;
}

namespace {

constexpr std::size_t kMaxAnnotations = 9;

// "::error file=spec/a.yaml,line=12,title=schema/type::text".
struct Annotation {
  std::string level;  // error, warning, notice
  std::string at;     // "file=...,line=12,col=3", or ""
  std::string title;
  std::string text;
};

// A smaller one is worse.
int level_rank(const Annotation& annotation) {
  return annotation.level == "error" ? 0 : annotation.level == "warning" ? 1 : 2;
}

// `text` in a command's message; `in_property`: in one of its properties.
std::string escape_command(std::string_view text, bool in_property) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '%': out += "%25"; break;
      case '\r': out += "%0D"; break;
      case '\n': out += "%0A"; break;
      case ':': out += in_property ? "%3A" : ":"; break;
      case ',': out += in_property ? "%2C" : ","; break;
      default: out += letter;
    }
  }
  return out;
}

std::string to_command(const Annotation& annotation) {
  auto at = annotation.at;
  spec::text::append_to_list(at, "title=" + escape_command(annotation.title, true), ",");
  return "::" + annotation.level + ' ' + at +
         "::" + escape_command(spec::text::shortened(annotation.text, kMaxDescription), false) +
         '\n';
}

// A file that is not in the repository has no line to annotate.
std::string annotated_place(const json& run, const json& cause) {
  if (!run.value("contract_file", json::object()).value("in_repository", false)) {
    return {};
  }
  const auto location = location_of(run, cause);
  return "file=" + escape_command(location.path, true) + ",line=" + std::to_string(location.line) +
         ",col=" + std::to_string(location.column);
}

void add_problems(const json& run, std::vector<Annotation>& all) {
  const auto verdict = text_of(run, "verdict");
  for (const auto& problem : run.at("problems")) {
    all.push_back({.level = verdict == "unusable" ? "error" : "notice",
                   .at = {},
                   .title = "contract tests: " + verdict,
                   .text = problem.get<std::string>()});
  }
}

void add_cause(const json& run, const json& cause, std::vector<Annotation>& all) {
  const auto severity = text_of(cause, "severity");
  if (severity == "note" || baseline_knows(cause)) {
    return;
  }
  const auto statement = statement_of(cause);
  all.push_back({.level = severity,
                 .at = annotated_place(run, cause),
                 .title = text_of(cause, "rule"),
                 .text = findings::sentence_of(cause) +
                         (statement.empty() ? "" : ", stated at " + statement) + ", id " +
                         text_of(cause, "fingerprint")});
}

void add_inconclusive(const json& run, std::vector<Annotation>& all) {
  for (const auto& reason : run.at("reasons")) {
    if (text_of(reason, "verdict") == "inconclusive") {
      const auto cases = reason.at("cases").get<std::size_t>();
      all.push_back({.level = "notice",
                     .at = {},
                     .title = "contract tests: inconclusive",
                     .text = spec::text::counted(cases, "case is", "cases are") +
                             " inconclusive: " + text_of(reason, "reason")});
    }
  }
}

}  // namespace

std::string github_annotations(const json& run) {
  std::vector<Annotation> all;
  add_problems(run, all);
  std::set<std::string> fingerprints;
  for (const auto& cause : run.at("causes")) {
    if (fingerprints.insert(text_of(cause, "fingerprint")).second) {
      add_cause(run, cause, all);
    }
  }
  add_inconclusive(run, all);
  std::ranges::stable_sort(all, {}, &level_rank);
  std::string text;
  const auto shown = std::min(all.size(), kMaxAnnotations);
  for (std::size_t at = 0; at < shown; ++at) {
    text += to_command(all[at]);
  }
  if (shown < all.size()) {
    text += to_command({.level = all[shown].level,
                        .at = {},
                        .title = "contract tests",
                        .text = "and " + std::to_string(all.size() - shown) +
                                " more: the summary of this job and report.html list them"});
  }
  return text;
}

namespace {

std::string gitlab_severity(const json& finding) {
  const auto severity = text_of(finding, "severity");
  return baseline_knows(finding) || severity == "note" ? "info"
         : severity == "warning"                       ? "minor"
                                                       : "major";
}

json quality_entry(const std::string& description, const std::string& rule,
                   const std::string& fingerprint, const std::string& severity,
                   const Location& location) {
  return {{"description", spec::text::shortened(description, kMaxDescription)},
          {"check_name", rule},
          {"fingerprint", fingerprint},
          {"severity", severity},
          {"location", {{"path", location.path}, {"lines", {{"begin", location.line}}}}}};
}

}  // namespace

std::string gitlab_code_quality(const json& run) {
  auto entries = json::array();
  std::size_t bytes = 0;
  const auto all = distinct_findings(run);
  for (const auto& found : all) {
    const auto& finding = *found.finding;
    const auto known = baseline_knows(finding) ? std::string("known: ") : std::string();
    const auto statement = statement_of(finding);
    const auto stated = statement.empty() ? std::string() : ", stated at " + statement;
    auto entry = quality_entry(known + sentence_of(found) + stated, text_of(finding, "rule"),
                               text_of(finding, "fingerprint"), gitlab_severity(finding),
                               location_of(run, finding));
    bytes += spec::json::write(entry).size() + 1;
    if (entries.size() == kMaxListed || bytes > kMaxListBytes) {
      break;
    }
    entries.push_back(std::move(entry));
  }
  const auto text = left_out_sentence(run, all.size() - entries.size());
  if (!text.empty()) {
    entries.push_back(quality_entry(text, "report/left-out", checks::stable_hash("left out"),
                                    "info", location_of(run, json::object())));
  }
  return spec::json::write(entries) + '\n';
}

namespace {

std::string output_line(const std::string& name, const std::string& value) {
  return name + '=' + value + '\n';
}

std::size_t failing_in(const json& run) {
  const auto all = distinct_findings(run);
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [&run](const auto& found) { return findings::fails(run, *found.finding); }));
}

}  // namespace

std::string outputs(const json& run) {
  const auto counts =
      run.value("baseline", json::object()).value("counts", json{{"new", failing_in(run)}});
  auto text = output_line("verdict", text_of(run, "verdict")) +
              output_line("exit_code", run.at("exit").dump());
  for (const auto* name : {"new", "known", "fixed", "expired"}) {
    text += output_line(name, std::to_string(counts.value(name, std::size_t{0})));
  }
  const auto& coverage = run.at("coverage");
  return text + output_line("coverage", spec::contract::percent_text(coverage.at("seen"),
                                                                     coverage.at("points")));
}

}  // namespace contract_tests::report::formats
