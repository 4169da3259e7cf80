#include "contract_tests/runs/selection.hpp"

#include "contract_tests/report/failure_text.hpp"
#include "contract_tests/report/ran.hpp"
#include "spec/text/nearest.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace contract_tests::runs {

using nlohmann::json;
using report::ran_of;
using report::RanCase;
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
  const auto ran = ran_of(run);
  names.reserve(ran.size());
  for (const auto& one : ran) {
    names.push_back(one.id);
  }
  for (const auto& item : run.at("cases")) {
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
  return std::ranges::any_of(ran_of(run), [&](const RanCase& ran) { return ran.id == which; });
}

}  // namespace

spec::Result<std::vector<Selected>, std::string> select_findings(const json& run,
                                                                 const std::string& which) {
  std::vector<Selected> chosen;
  for (const auto& item : run.at("cases")) {
    for (const auto& finding : item.at("findings")) {
      if (is_chosen(run, item, finding, which)) {
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
  for (const auto& ran : ran_of(run)) {
    if (ran.verdict == run::Verdict::kFailed || ran.verdict == run::Verdict::kInconclusive) {
      names.push_back(ran.id);
    }
  }
  return names;
}

std::vector<std::string> unlisted_failures(const json& run) {
  std::set<std::string> listed;
  for (const auto& item : run.at("cases")) {
    listed.insert(text_of(item, "id"));
  }
  std::vector<std::string> names;
  for (const auto& ran : ran_of(run)) {
    if (ran.verdict == run::Verdict::kFailed && !listed.contains(ran.id)) {
      names.push_back(ran.id);
    }
  }
  return names;
}

}  // namespace contract_tests::runs
