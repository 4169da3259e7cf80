#include "contract_tests/report/selection.hpp"

#include "contract_tests/report/failure_text.hpp"
#include "spec/text/nearest.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <string_view>

namespace contract_tests::report {

using nlohmann::json;

namespace {

bool is_error(const json& finding) {
  return text_of(finding, "severity") == "error";
}

bool has_errors(const json& item) {
  return std::ranges::any_of(item.at("findings"), &is_error);
}

bool is_chosen(const json& item, const json& finding, const std::string& which) {
  if (which.empty()) {
    return text_of(item, "verdict") == "failed" && is_error(finding);
  }
  if (text_of(finding, "fingerprint") == which) {
    return true;
  }
  return text_of(item, "id") == which && (is_error(finding) || !has_errors(item));
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
                             [&](const json& item) { return text_of(item, "id") == which; });
}

}  // namespace

spec::Result<std::vector<Selected>, std::string> select_findings(const json& run,
                                                                 const std::string& which) {
  std::vector<Selected> chosen;
  for (const auto& item : run.at("cases")) {
    for (const auto& finding : item.at("findings")) {
      if (is_chosen(item, finding, which)) {
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
    const auto verdict = text_of(item, "verdict");
    if (verdict == "failed" || verdict == "inconclusive") {
      names.push_back(text_of(item, "id"));
    }
  }
  return names;
}

std::size_t unlisted_cases(const json& run, bool failed_alone) {
  const auto& counts = run.at("counts");
  std::size_t all = counts.at("failed").get<std::size_t>();
  all += failed_alone ? 0 : counts.at("inconclusive").get<std::size_t>();
  const auto listed = std::ranges::count_if(run.at("cases"), [&](const json& item) {
    const auto verdict = text_of(item, "verdict");
    return verdict == "failed" || (verdict == "inconclusive" && !failed_alone);
  });
  return all - std::min(all, static_cast<std::size_t>(listed));
}

}  // namespace contract_tests::report
