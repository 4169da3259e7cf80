// The work on a response ends with the run.

#include "contract_tests/run/case_run.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <utility>

namespace contract_tests::run {
namespace {

using std::chrono::seconds;

// An outcome of a case whose response came in a run that began `ago`, and may take a second.
Outcome outcome_of_a_run_that_began(seconds ago) {
  const auto contract = spec::contract::load_contract(std::filesystem::path(test_paths::source()) /
                                                      "spec/payments.openapi.yaml");
  const plan::Rules rules;
  const plan::RuleBook book;
  const client::Trust trust;
  Settings settings{.contract = contract, .rules = rules, .book = book, .trust = trust, .url = {}};
  settings.pace.time = seconds(1);
  settings.started -= ago;
  RunContext context(settings);
  Sender sender(settings, context.pace);
  Case item;
  item.operation = "get_customer_handler";
  CaseRun case_run(context, sender, item);
  client::Exchange exchange;
  exchange.record.head.status = 200;
  exchange.response.headers.add("Content-Type", "application/json");
  exchange.response.body = "{}";
  exchange.ending = client::Ending::kClosed;
  case_run.receive({}, {.want = Want::kAccepted}, std::move(exchange));
  return case_run.finish();
}

TEST(Deadline, ends_the_work_on_responses) {
  EXPECT_THAT(outcome_of_a_run_that_began(seconds(-3600)).findings,
              testing::Not(testing::IsEmpty()));

  const auto late = outcome_of_a_run_that_began(seconds(3600));

  EXPECT_EQ(late.verdict, Verdict::kInconclusive);
  EXPECT_THAT(late.findings, testing::IsEmpty());
  EXPECT_THAT(late.reason.words, testing::HasSubstr("--deadline"));
}

}  // namespace
}  // namespace contract_tests::run
