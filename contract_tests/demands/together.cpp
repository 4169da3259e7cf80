#include "contract_tests/demands/together.hpp"

#include "contract_tests/demands/same.hpp"

#include <vector>

namespace contract_tests::demands {

namespace {

bool is_alike(const Sent& left, const Sent& right) {
  return left.exchange.status() == right.exchange.status() &&
         (!left.accepted || !right.accepted || compare(left, right, "").empty());
}

}  // namespace

void run_together(CaseRun& case_run, const RequestPlan& other) {
  constexpr std::size_t kPairs = 4;
  const auto& first = case_run.send();
  const auto& second = case_run.send(other, {.want = Want::kAnything});
  if (!first.accepted || !second.conclusive) {
    return;
  }
  if (is_alike(first, second)) {
    case_run.skip("both requests have the same response");
    return;
  }
  std::vector<RequestPlan> requests;
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    requests.push_back(case_run.item().request);
    requests.push_back(other);
  }
  const auto answers = case_run.send_together(requests, {.want = Want::kAnything});
  for (std::size_t at = 0; at < answers.size(); ++at) {
    const auto& own = at % 2 == 0 ? first : second;
    const auto& others = at % 2 == 0 ? second : first;
    // A response that equals neither may have changed by itself.
    if (answers[at]->conclusive && !is_alike(*answers[at], own) && is_alike(*answers[at], others)) {
      case_run.report({{case_run.item().why.rule, "body", "must be the response to its own request",
                        "is that of another request sent "
                        "at the same time"}},
                      *answers[at]);
    }
  }
}

namespace {

void run_in_turn(CaseRun& case_run, const RequestPlan& other) {
  const auto& first =
      case_run.send(case_run.item().request, case_run.item().expect, {.fresh_connection = true});
  if (!first.accepted) {
    return;
  }
  const auto& second = case_run.send(other, {.want = Want::kAnything});
  const auto& third = case_run.send();
  if (!third.exchange.reused_connection) {
    return;  // nothing to poison
  }
  if (third.conclusive && !third.accepted) {
    case_run.report({{"http/poisoned", "status", "must be the response to its own request",
                      "is that of another: " + std::to_string(third.exchange.status())}},
                    third);
  } else if (third.accepted && second.conclusive) {
    case_run.suspect(compare(first, third, "http/poisoned"), third);
  }
}

}  // namespace

bool may_be_repeated(const Drafting& drafting) {
  return !drafting.writes || drafting.rules.update.has_value();
}

void ask_together(Case& item, RequestPlan other) {
  item.others = {other};
  item.run = [other = std::move(other)](CaseRun& case_run) { run_together(case_run, other); };
}

void ask_in_turn(Case& item, RequestPlan other) {
  item.others = {other};
  item.run = [other = std::move(other)](CaseRun& case_run) { run_in_turn(case_run, other); };
}

}  // namespace contract_tests::demands
