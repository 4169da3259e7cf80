#include "contract_tests/report/tested_kinds.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace contract_tests::report {

using nlohmann::json;

namespace {

// Kinds by the start of a rule's id; the first that fits counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kOfRules{{
    {"paging/", "page"},
    {"list/page", "page"},
    {"list/total", "page"},
    {"filter/", "filter"},
    {"list/filter", "filter"},
    {"sort/", "order"},
    {"order/", "order"},
    {"list/order", "order"},
    {"auth/", "auth"},
    {"record/deleted", "delete"},
    {"record/delisted", "delete"},
    {"record/created", "create"},
    {"record/as-sent", "create"},
    {"record/once", "create"},
    {"record/listed", "create"},
    {"record/download", "create"},
    {"record/unknown", "bad input"},
    {"record/not-found", "bad input"},
    {"record/another", "read"},
    {"record/", "change"},
    {"update/", "change"},
    {"body/", "bad input"},
    {"parameter/", "bad input"},
    {"status/hostile", "bad input"},
}};

// Kinds of an operation's plain request.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOfMethods{{
    {"GET ", "read"},
    {"POST ", "create"},
    {"PUT ", "change"},
    {"PATCH ", "change"},
    {"DELETE ", "delete"},
}};

template <std::size_t N>
std::string_view found_in(const std::array<std::pair<std::string_view, std::string_view>, N>& kinds,
                          std::string_view text) {
  const auto* found = std::ranges::find_if(
      kinds, [text](const auto& entry) { return text.starts_with(entry.first); });
  return found == kinds.end() ? "" : found->second;
}

bool is_tested(const run::Outcome& outcome) {
  return outcome.verdict == run::Verdict::kPassed || outcome.verdict == run::Verdict::kFailed ||
         outcome.verdict == run::Verdict::kKnown;
}

std::string why_not_tested(const run::Reason& reason) {
  const bool may_be_allowed = reason.words.find("--allow") != std::string::npos ||
                              reason.words.find("--sandbox") != std::string::npos;
  return (reason.is_not_allowed() && may_be_allowed ? "no consent: " : "not possible: ") +
         reason.words;
}

}  // namespace

std::string_view kind_of(const run::Case& item) {
  const auto by_method = found_in(kOfMethods, item.operation_name);
  const auto by_rule = found_in(kOfRules, item.basis.rule);
  const bool of_method = item.is_plain || (by_rule == "change" && by_method == "create");
  return of_method ? by_method : by_rule;
}

json tested_kinds(const run::Plan& plan, const run::Outcomes& outcomes) {
  json kinds = json::object();
  for (const auto& [index, outcome] : outcomes) {
    const auto& item = plan.cases.at(index);
    const auto kind = kind_of(item);
    if (kind.empty() || item.sends_nothing || item.needs.mock_only) {
      continue;
    }
    auto& state = kinds[item.operation_name][std::string(kind)];
    if (is_tested(outcome)) {
      state = "tested";
    } else if (state.is_null()) {
      state = why_not_tested(outcome.reason);
    }
  }
  return kinds;
}

}  // namespace contract_tests::report
