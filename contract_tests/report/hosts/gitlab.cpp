#include "contract_tests/report/hosts/gitlab.hpp"

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/report/failure_text.hpp"
#include "contract_tests/report/hosts/distinct.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>

namespace contract_tests::report::hosts {

using nlohmann::json;

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

}  // namespace contract_tests::report::hosts
