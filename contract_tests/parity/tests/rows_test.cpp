#include "contract_tests/parity/rows.hpp"

#include "spec/contract/loading/load_contract.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace contract_tests::parity {

namespace {

// A case of an operation, and the status that it got; 0 for a subject that is missing.
struct CaseOfRow {
  std::string operation;
  int status = 0;
  bool has_subject = false;
  bool is_bare = false;
};

struct UntestedRow {
  std::string name;
  std::vector<CaseOfRow> cases;
  std::string says;  // "" for nothing
};

constexpr const char* kSecured = "get_customer_handler";

const std::vector<UntestedRow> kUntested{
    {"nothing_ran", {}, ""},
    {"a_success", {{kSecured, 200, true}}, ""},
    {"a_record_that_is_looked_for", {{kSecured, 404, true}}, ""},
    {"some_subjects_are_missing", {{kSecured, 200, true}, {kSecured, 0}}, ""},
    {"every_token_is_rejected", {{kSecured, 401, true}}, "(401)"},
    {"no_token_and_no_subject",
     {{kSecured, 401}, {kSecured, 0}},
     "(401), and none succeeded; pass a valid token"},
    {"no_subject", {{kSecured, 404}, {kSecured, 0}}, "subjects are not set [cases: 1]"},
    {"the_case_without_a_token", {{kSecured, 200, true}, {kSecured, 401, true, true}}, ""},
    {"a_case_without_a_token_alone", {{kSecured, 401, true, true}}, ""},
};

using Untested = spec::tests::RowTest;

TEST_P(Untested, says_why_operations_with_a_key_were_not_tested) {
  const UntestedRow& row = GetParam();

  const auto contract = spec::contract::load_contract(std::filesystem::path(test_paths::source()) /
                                                      "spec/payments.openapi.yaml");
  run::Plan plan;
  Outcomes outcomes;
  for (const auto& one : row.cases) {
    run::Case item;
    item.operation = one.operation;
    item.is_unauthenticated = one.is_bare;
    if (one.has_subject) {
      item.needs.subjects = {"customer"};
    }
    run::Outcome outcome;
    if (one.status == 0) {
      outcome.reason = run::no_subject("customer");
    } else {
      outcome.verdict = run::Verdict::kPassed;
      outcome.steps.push_back({.request = "", .curl = "", .status = one.status, .response = ""});
    }
    outcomes[plan.cases.size()] = outcome;
    plan.cases.push_back(item);
  }

  const auto why = why_untested(contract, plan, outcomes, "pass a valid token");

  EXPECT_EQ(why.empty(), row.says.empty()) << why;
  EXPECT_THAT(why, testing::HasSubstr(row.says));
}

INSTANTIATE_TEST_SUITE_P(Table, Untested, testing::ValuesIn(spec::tests::rows(kUntested)),
                         spec::tests::kRowNames);

}  // namespace

}  // namespace contract_tests::parity
