// The limits of outcomes in memory.

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/run/outcome.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <string>

namespace contract_tests::run {
namespace {

Outcome with_texts(std::size_t size) {
  client::Exchange exchange;
  exchange.response.body = std::string(size, 'x');
  checks::Finding finding;
  finding.message = {"must be a", "is b"};
  finding.excerpt = "excerpt";
  finding.curl = std::string(size, 'c');
  finding.shown = std::make_shared<const client::Exchange>(std::move(exchange));
  Outcome outcome;
  outcome.verdict = Verdict::kFailed;
  outcome.findings.push_back(finding);
  outcome.steps.push_back({.request = "GET /a", .curl = "curl", .status = 200});
  return outcome;
}

TEST(OutcomeTrimmer, leaves_the_first_outcomes_as_they_are) {
  OutcomeTrimmer kept({.texts = 5'000, .exchanges = 5'000});
  auto outcome = with_texts(1'000);

  kept.trim(outcome);

  EXPECT_EQ(outcome.findings[0].curl.size(), 1'000U);
  EXPECT_NE(outcome.findings[0].shown, nullptr);
  EXPECT_EQ(outcome.steps[0].curl, "curl");
}

TEST(OutcomeTrimmer, takes_texts_and_exchanges_out_of_later_ones) {
  OutcomeTrimmer kept({.texts = 5'000, .exchanges = 3'000});
  std::vector<Outcome> outcomes(10, with_texts(1'000));

  for (auto& outcome : outcomes) {
    kept.trim(outcome);
  }

  EXPECT_NE(outcomes[1].findings[0].shown, nullptr);
  EXPECT_EQ(outcomes[4].findings[0].shown, nullptr);
  EXPECT_EQ(outcomes[4].findings[0].curl.size(), 1'000U);
  const auto& last = outcomes.back();
  EXPECT_EQ(last.findings[0].curl, "");
  EXPECT_EQ(last.findings[0].message.text(), "must be a, but is b");
  EXPECT_EQ(last.steps[0].request, "");
  EXPECT_EQ(last.steps[0].status, 200);
}

TEST(OutcomeTrimmer, shortens_the_texts_of_requests_without_a_finding) {
  OutcomeTrimmer kept;
  auto outcome = with_texts(1);
  outcome.findings.clear();
  outcome.steps[0].curl = std::string(5'000, 'c');

  kept.trim(outcome);

  EXPECT_LT(outcome.steps[0].curl.size(), 1'100U);
}

}  // namespace
}  // namespace contract_tests::run
