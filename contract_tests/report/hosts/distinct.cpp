#include "contract_tests/report/hosts/distinct.hpp"

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/report/cases_value.hpp"
#include "contract_tests/report/failure_text.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

namespace contract_tests::report::hosts {

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
  const auto stated = stated_at_from(text_of(value, "stated_at"));
  if (!stated) {
    return {.path = contract.generic_string()};
  }
  return {.path = (contract.parent_path() / stated->file).lexically_normal().generic_string(),
          .line = std::max<std::size_t>(stated->line, 1),
          .column = std::max<std::size_t>(stated->column, 1)};
}

std::string statement_of(const json& value) {
  const auto stated = stated_at_from(text_of(value, "stated_at"));
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

}  // namespace contract_tests::report::hosts
