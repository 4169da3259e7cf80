#include "contract_tests/report/formats/console_summary.hpp"

#include "contract_tests/findings/causes.hpp"
#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/baseline_value.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::report::formats {

using findings::text_of;
using nlohmann::json;
using spec::text::counted;

namespace {

// The number of lines of each kind: the summary of a run that passed fits a screen.
struct Lines {
  std::size_t errors;
  std::size_t others;  // warnings and notes
  std::size_t reasons;
};

constexpr Lines kOfPassed{.errors = 0, .others = 5, .reasons = 12};
constexpr Lines kOfOthers{.errors = 60, .others = 20, .reasons = 12};
constexpr std::size_t kMaxReason = 200;

std::string number(const json& value) {
  return std::to_string(value.get<std::size_t>());
}

void add_lines(const std::string& title, const std::vector<std::string>& lines, std::size_t max,
               std::string& out) {
  out += paragraph(title, lines, max, "--report DIR lists them");
}

void add_causes(const json& run, const Lines& max, std::string& out) {
  std::vector<std::string> errors;
  std::vector<std::string> known;
  std::vector<std::string> others;
  for (const auto& cause : run.at("causes")) {
    const bool error = text_of(cause, "severity") == "error";
    auto& lines = !error ? others : text_of(cause, "state") == "known" ? known : errors;
    lines.push_back(findings::line_of(cause));
  }
  add_lines("Errors by cause", errors, max.errors, out);
  add_lines("Known errors by cause", known, max.others, out);
  add_lines("Baseline", baseline_lines(run), max.errors == 0 ? max.reasons : max.errors, out);
  add_lines("Warnings and notes by cause", others, max.others, out);
}

// Cases of one verdict, counted by their reason.
void add_reasons(const json& run, std::string_view verdict, const std::string& title,
                 std::size_t max, std::string& out) {
  constexpr std::size_t kFew = 2;
  std::vector<std::string> lines;
  for (const auto& reason : run.at("reasons")) {
    if (text_of(reason, "verdict") == verdict) {
      std::vector<std::string> names;
      for (const auto& [name, count] : reason.at("operations").items()) {
        names.push_back(name);
      }
      lines.push_back(counted(reason.at("cases").get<std::size_t>(), "case", "cases") + " (" +
                      spec::text::names_listed(names, kFew) +
                      "): " + spec::text::shortened(text_of(reason, "reason"), kMaxReason));
    }
  }
  add_lines(title, lines, max, out);
}

// The operations that no case reached, and whether the run should have reached them.
void add_operations(const json& run, std::string& out) {
  constexpr std::size_t kFew = 3;
  const auto silent = run.at("operations_without_a_case_run").get<std::vector<std::string>>();
  const auto barred = run.at("operations_not_covered").get<std::vector<std::string>>();
  if (!silent.empty()) {
    out += "\nNo case reached " + spec::text::names_listed(silent, kFew) +
           ": the run is inconclusive.\n";
  }
  if (!barred.empty()) {
    out += "\nNot covered, because this run may not call them: " +
           spec::text::names_listed(barred, kFew) + ".\n";
  }
}

// The operations of one kind, and the first reason for each that was not tested.
struct KindCount {
  std::size_t tested = 0;
  std::size_t all = 0;
  std::vector<std::string> others;
  std::string why;  // of the first of them
};

// What was tested by kind, and what was not.
void add_kinds(const json& run, std::string& out) {
  constexpr std::size_t kFew = 2;
  std::map<std::string, KindCount> kinds;
  const auto tested = run.value("tested", json::object());
  for (const auto& [operation, states] : tested.items()) {
    for (const auto& [kind, state] : states.items()) {
      auto& count = kinds[kind];
      ++count.all;
      if (state == "tested") {
        ++count.tested;
      } else {
        count.why = count.others.empty() ? state.get<std::string>() : count.why;
        count.others.push_back(operation);
      }
    }
  }
  std::vector<std::string> lines;
  for (const auto& [kind, count] : kinds) {
    auto line = kind + ": " + std::to_string(count.tested) + " of " +
                counted(count.all, "operation", "operations");
    if (!count.others.empty()) {
      line += "; not " + spec::text::names_listed(count.others, kFew) + " (" +
              spec::text::shortened(count.why, kMaxReason) + ')';
    }
    lines.push_back(std::move(line));
  }
  add_lines("Tested by kind", lines, lines.size(), out);
}

void add_left_out(const json& plan, std::string& out) {
  const auto left_out = plan.at("left_out").get<std::size_t>();
  if (left_out > 0) {
    out += "\nThe contract is large: about " + counted(left_out, "case", "cases") +
           " more than the " + number(plan.at("cases")) +
           " of a plan were left out, at every operation.\n";
  }
}

// Adds the number of recorded calls, and the calls of the file that were left out.
void add_recorded(const json& run, std::size_t max, std::string& out) {
  const auto recorded = run.find("recorded");
  if (recorded == run.end()) {
    return;
  }
  out += '\n' + counted(recorded->at("calls").get<std::size_t>(), "call", "calls") + " of " +
         text_of(*recorded, "file") + " validated; nothing was sent.\n";
  add_lines("Calls that were not validated",
            recorded->at("left_out").get<std::vector<std::string>>(), max, out);
}

void add_waits(const json& waits, std::string& out) {
  const auto waited = waits.at("waited_ms").get<std::size_t>();
  if (waited > 0) {
    out += "\nWaited " + std::to_string((waited + 999) / 1000) + " s of at most " +
           std::to_string(waits.at("max_ms").get<std::size_t>() / 1000) +
           " s because the server asked to (--max-wait).\n";
  }
}

// "passed, with 3 known findings and 14 warnings".
std::string ended(const json& run) {
  auto with = with_known(run);
  const auto add = [&with](const json& count, std::string_view one, std::string_view many) {
    if (count > 0) {
      with += (with.empty() ? ", with " : " and ") + counted(count.get<std::size_t>(), one, many);
    }
  };
  if (const auto& counts = run.at("counts"); text_of(run, "verdict") == "passed") {
    add(counts.at("failed"), "failed case", "failed cases");
    add(counts.at("warnings"), "warning", "warnings");
  }
  return text_of(run, "verdict") + with;
}

}  // namespace

std::string paragraph(const std::string& title, const std::vector<std::string>& lines,
                      std::size_t max, const std::string& all) {
  std::string out = lines.empty() ? "" : '\n' + title + '\n';
  const auto shown = std::min(lines.size(), max);
  for (std::size_t at = 0; at < shown; ++at) {
    out += "  " + lines[at] + '\n';
  }
  if (shown < lines.size()) {
    out += "  and " + std::to_string(lines.size() - shown) + " more; " + all + '\n';
  }
  return out;
}

std::string writes_text(const json& run) {
  const auto& left = run.at("writes").at("not_put_back");
  const auto records = run.at("writes").at("records").get<std::size_t>();
  std::string out;
  if (!left.empty()) {
    out += "\nChanges that could not be undone\n";
    for (const auto& line : left) {
      const auto curl = line.at("curl").get<std::string>();
      out += "  " + line.at("what").get<std::string>() + '\n' +
             (curl.empty() ? "" : "    undo it: " + curl + '\n');
    }
  }
  if (const auto unverified = run.at("writes").value("unverified", std::vector<std::string>());
      records > 0 && !unverified.empty()) {
    out += "\nWhat could not be verified after the changes were undone\n";
    for (const auto& line : unverified) {
      out += "  " + line + '\n';
    }
  } else if (records > 0 && left.empty()) {
    out += "\nAll changes were undone (" + counted(records, "record", "records") + ").\n";
  }
  return out;
}

std::string summary(const json& run) {
  const bool passed = text_of(run, "verdict") == "passed" && run.at("counts").at("failed") == 0;
  const auto& max = passed ? kOfPassed : kOfOthers;
  std::string out;
  for (const auto& problem : run.at("problems")) {
    out += '\n' + problem.get<std::string>() + '\n';
  }
  add_causes(run, max, out);
  add_reasons(run, "inconclusive", "Inconclusive", max.reasons, out);
  const auto used = passed ? static_cast<std::size_t>(std::ranges::count(out, '\n')) : 0;
  add_reasons(run, "skipped", "Skipped: not covered", max.reasons - std::min(used, max.reasons - 4),
              out);
  add_kinds(run, out);
  add_operations(run, out);
  add_left_out(run.at("plan"), out);
  add_recorded(run, max.reasons, out);
  out += writes_text(run);
  add_waits(run.at("waits"), out);
  const auto& counts = run.at("counts");
  const auto url = text_of(run, "base_url");
  out += "\n" + text_of(run, "contract") + (url.empty() ? "" : " at " + url) + " (" +
         text_of(run, "target") + "): " + ended(run) + ". " + number(counts.at("passed")) +
         " passed, " + number(counts.at("failed")) + " failed, " +
         (counts.contains("known") ? number(counts.at("known")) + " known, " : "") +
         number(counts.at("inconclusive")) + " inconclusive, " + number(counts.at("skipped")) +
         " skipped; " + number(counts.at("errors")) + " errors, " + number(counts.at("warnings")) +
         " warnings, " + number(counts.at("notes")) + " notes; " + number(counts.at("requests")) +
         " requests; plan " + text_of(run.at("plan"), "hash") + '\n';
  return out;
}

}  // namespace contract_tests::report::formats
