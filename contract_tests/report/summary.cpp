#include "contract_tests/report/summary.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <vector>

namespace contract_tests::report {

using nlohmann::json;

namespace {

std::string text(const json& value, const char* key) {
  return value.value(key, "");
}

std::string number(const json& value) {
  return std::to_string(value.get<std::size_t>());
}

// " [2 of 5 times]" for a case that was carried out several times.
std::string rate_of(const json& item, const json& finding) {
  if (!item.contains("repeats") || !finding.contains("met")) {
    return {};
  }
  return " [" + number(finding.at("met")) + " of " + number(item.at("repeats").at("of")) +
         " times]";
}

// Findings of every case, each fingerprint once, with how many cases met it.
void add_findings(const json& run, std::string& out) {
  std::map<std::string, std::size_t> times;
  std::vector<std::pair<const json*, const json*>> first;
  for (const auto& item : run.at("cases")) {
    for (const auto& finding : item.at("findings")) {
      if (++times[text(finding, "fingerprint")] == 1) {
        first.emplace_back(&item, &finding);
      }
    }
  }
  if (first.empty()) {
    return;
  }
  out += "\nFindings\n";
  for (const auto& [item, finding] : first) {
    const auto met = times.at(text(*finding, "fingerprint"));
    out += "  " + text(*finding, "severity") + ' ' + text(*finding, "rule") + " (" +
           text(*finding, "class") + ", " + text(*finding, "clause") + ") " +
           text(*item, "operation_name") + ' ' + text(*finding, "place") + ": " +
           text(*finding, "message") + rate_of(*item, *finding) +
           (met > 1 ? " [" + std::to_string(met) + " cases]" : "") + '\n';
  }
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

// A few by their sentences, many by their number: run.json and report.html have them all.
void add_sentences(const std::string& operation, const std::vector<std::string>& sentences,
                   bool all_of_them, std::string& out) {
  constexpr std::size_t kFew = 3;
  if (!all_of_them && sentences.size() > kFew) {
    out += "    " + operation + ": " + counted(sentences.size(), "case") + '\n';
    return;
  }
  for (const auto& sentence : sentences) {
    out += "    " + operation + ": " + sentence + '\n';
  }
}

// Cases of one verdict, grouped by their reason.
void add_reasons(const json& run, const std::string& verdict, const std::string& title,
                 bool all_of_them, std::string& out) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> reasons;
  for (const auto& item : run.at("cases")) {
    if (text(item, "verdict") == verdict) {
      reasons[text(item, "reason")][text(item, "operation_name")].push_back(text(item, "sentence"));
    }
  }
  if (reasons.empty()) {
    return;
  }
  out += '\n' + title + '\n';
  for (const auto& [reason, operations] : reasons) {
    out += "  " + reason + '\n';
    for (const auto& [operation, sentences] : operations) {
      add_sentences(operation, sentences, all_of_them, out);
    }
  }
}

// How many records the run changed, and the changes that it could not undo.
void add_writes(const json& writes, std::string& out) {
  const auto& left = writes.at("not_put_back");
  const auto records = writes.at("records").get<std::size_t>();
  if (!left.empty()) {
    out += "\nChanges that could not be undone\n";
    for (const auto& line : left) {
      out += "  " + line.get<std::string>() + '\n';
    }
  } else if (records > 0) {
    out += "\nAll changes were undone (" + counted(records, "record") + ").\n";
  }
}

void add_waits(const json& waits, std::string& out) {
  const auto waited = waits.at("waited_ms").get<std::size_t>();
  if (waited > 0) {
    out += "\nWaited " + std::to_string((waited + 999) / 1000) + " s of at most " +
           std::to_string(waits.at("max_ms").get<std::size_t>() / 1000) +
           " s because the server asked to (--max-wait).\n";
  }
}

}  // namespace

std::string summary(const json& run) {
  std::string out;
  add_findings(run, out);
  add_reasons(run, "inconclusive", "Inconclusive", true, out);
  add_reasons(run, "skipped", "Skipped: not covered", false, out);
  for (const auto& name : run.at("operations_without_a_case_run")) {
    out += "\nNo case reached " + name.get<std::string>() + ": the run is inconclusive.\n";
  }
  for (const auto& problem : run.at("problems")) {
    out += '\n' + problem.get<std::string>() + '\n';
  }
  add_writes(run.at("writes"), out);
  add_waits(run.at("waits"), out);
  const auto& counts = run.at("counts");
  out += "\n" + text(run, "contract") + " at " + text(run, "base_url") + " (" +
         text(run, "target") + "): " + text(run, "verdict") + ". " + number(counts.at("passed")) +
         " passed, " + number(counts.at("failed")) + " failed, " +
         number(counts.at("inconclusive")) + " inconclusive, " + number(counts.at("skipped")) +
         " skipped; " + number(counts.at("errors")) + " errors, " + number(counts.at("warnings")) +
         " warnings, " + number(counts.at("notes")) + " notes; " + number(counts.at("requests")) +
         " requests; plan " + text(run.at("plan"), "hash") + '\n';
  return out;
}

}  // namespace contract_tests::report
