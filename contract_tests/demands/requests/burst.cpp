// By rules: a bounded burst reaches the rate limit without other errors.

#include "contract_tests/demands/requests/requests.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

namespace contract_tests::demands::requests {

namespace {

constexpr const char* kBurstRule = "burst/limit";

void run_burst(CaseRun& case_run, const plan::BurstRules& rules) {
  constexpr std::size_t kAtOnce = 20;
  for (std::size_t asked = 0; asked < rules.requests; asked += kAtOnce) {
    const std::vector<RequestPlan> requests(std::min(kAtOnce, rules.requests - asked),
                                            case_run.item().request);
    const auto answers = case_run.send_together(requests, case_run.item().expect);
    const bool limited = std::ranges::any_of(
        answers, [&rules](const Sent* sent) { return sent->exchange.status() == rules.status; });
    if (limited) {
      std::this_thread::sleep_for(
          std::min(std::chrono::milliseconds(1'000), case_run.settings().patience.longest_wait));
      case_run.send(case_run.item().request, {.want = Want::kAccepted});
      return;
    }
    if (!std::ranges::all_of(answers, &Sent::conclusive)) {
      return;
    }
  }
  case_run.skip(std::to_string(rules.requests) + " requests did not reach the rate limit");
}

// Without rules, at the first operation of the contract that reads and declares a rate limit.
std::optional<plan::BurstRules> by_contract(const Drafting& drafting) {
  constexpr int kTooManyRequests = 429;
  constexpr std::size_t kRequests = 200;
  const auto* response = drafting.operation.response(kTooManyRequests);
  const bool is_there = std::ranges::any_of(
      drafting.cases, [](const Case& item) { return item.why.rule == kBurstRule; });
  if (is_there || drafting.rules.request || drafting.operation.method != "GET" ||
      response == nullptr || response->status != kTooManyRequests) {
    return std::nullopt;
  }
  return plan::BurstRules{.clause = {}, .requests = kRequests, .status = kTooManyRequests};
}

}  // namespace

void add_burst_case(const Drafting& drafting) {
  const auto rules = drafting.rules.burst ? drafting.rules.burst : by_contract(drafting);
  if (!rules) {
    return;
  }
  auto item = drafting.draft("a burst of " + std::to_string(rules->requests) +
                                 " requests reaches the rate limit without other errors",
                             kBurstRule);
  if (!rules->clause.empty()) {
    item.why.source = Drafting::clause(rules->clause, StatementClass::kDocument);
  }
  item.run = [rules = *rules](CaseRun& case_run) { run_burst(case_run, rules); };
  item.expect.want = Want::kAnything;
  item.expect.statuses = {rules->status};
  item.needs.burst = true;
  item.lane = "burst";
  drafting.add(std::move(item));
}

}  // namespace contract_tests::demands::requests
