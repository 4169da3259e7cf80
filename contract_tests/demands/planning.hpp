#pragma once

// Makes a plan: for each operation of the contract, the cases for any operation, those of its
// rules, and the hand-written ones. A pure function: the same input gives the same plan, whatever
// the server.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/contract/contract.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace contract_tests::demands {

// A plan has at most about so many cases besides hand-written ones, each operation its share: so
// much fits into memory, and into the time of a run, whatever the contract.
inline constexpr std::size_t kMaxPlannedCases = 10'000;

struct PlanInput {
  const spec::contract::Contract& contract;
  const plan::Rules& rules;
  const plan::RuleBook& book;
  std::vector<run::Case> written;  // of load_cases
  std::uint64_t seed = 0;
  std::vector<plan::HostileText> hostile = {};
  std::size_t max_cases = kMaxPlannedCases;
  plan::Bodies bodies = {};  // that the user gives, instead of generated ones
};

// If an operation has more cases than its share, the plain ones stay, then the first case of each
// rule, then the second, beginning with other rules at each operation. Throws spec::LoadError when
// two cases of an operation have the same name, a case is of a rule that the book lacks, or a given
// body is invalid.
run::Plan make_plan(PlanInput input);

}  // namespace contract_tests::demands
