#include "contract_tests/report/hosts/annotations.hpp"

#include "contract_tests/report/causes.hpp"
#include "contract_tests/report/failure_text.hpp"
#include "contract_tests/report/hosts/distinct.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

namespace contract_tests::report::hosts {

using nlohmann::json;

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
                 .text = report::sentence_of(cause) +
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

}  // namespace contract_tests::report::hosts
