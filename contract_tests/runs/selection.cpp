#include "contract_tests/runs/selection.hpp"

#include "contract_tests/report/cases_value.hpp"
#include "contract_tests/report/failure_text.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string_view>

namespace contract_tests::runs {

using nlohmann::json;
using report::text_of;

namespace {

bool is_chosen(const json& run, const json& item, const json& finding, const std::string& which) {
  const auto fails = [&run](const json& each) { return report::fails(run, each); };
  if (which.empty()) {
    return text_of(item, "verdict") == "failed" && fails(finding);
  }
  if (text_of(finding, "fingerprint") == which) {
    return true;
  }
  return text_of(item, "id") == which &&
         (fails(finding) || std::ranges::none_of(item.at("findings"), fails));
}

std::string describe_unknown(const json& run, const std::string& which) {
  std::vector<std::string_view> names;
  for (const auto& item : run.at("cases")) {
    names.push_back(item.at("id").get_ref<const std::string&>());
    for (const auto& finding : item.at("findings")) {
      names.push_back(finding.at("fingerprint").get_ref<const std::string&>());
    }
  }
  const auto near = spec::text::nearest(which, names);
  return "it has no finding and no case " + spec::text::in_quotes(which, 200) +
         (near ? "; did you mean " + std::string(*near) + '?'
               : "; the line \"id\" of a failure, or the name of a case, is expected");
}

bool is_case(const json& run, const std::string& which) {
  return std::ranges::any_of(run.at("cases"),
                             [&](const json& item) { return item.at("id") == which; });
}

}  // namespace

spec::Result<std::vector<Selected>, std::string> select_findings(const json& run,
                                                                 const std::string& which) {
  std::vector<Selected> chosen;
  for (const auto& item : run.at("cases")) {
    for (const auto& finding : item.at("findings")) {
      if (report::has_details(item) && is_chosen(run, item, finding, which)) {
        chosen.push_back({&item, &finding});
      }
    }
  }
  if (chosen.empty() && !which.empty() && !is_case(run, which)) {
    return spec::Unexpected{describe_unknown(run, which)};
  }
  return chosen;
}

std::vector<std::string> unfinished_cases(const json& run) {
  std::vector<std::string> names;
  for (const auto& item : run.at("cases")) {
    if (item.at("verdict") == "failed" || item.at("verdict") == "inconclusive") {
      names.push_back(text_of(item, "id"));
    }
  }
  return names;
}

std::vector<std::string> unlisted_failures(const json& run) {
  std::vector<std::string> names;
  for (const auto& item : run.at("cases")) {
    if (item.at("verdict") == "failed" && !report::has_details(item)) {
      names.push_back(text_of(item, "id"));
    }
  }
  return names;
}

}  // namespace contract_tests::runs
