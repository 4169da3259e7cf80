#pragma once

// The making of a plan: for each operation of the contract, what holds for any operation, what its
// rules demand, and what people wrote down as cases. A pure function: the same input gives the same
// plan, whatever server it is for.

#include "contract_tests/plan/case.hpp"
#include "contract_tests/plan/data_file.hpp"
#include "contract_tests/plan/rules.hpp"
#include "contract_tests/plan/texts.hpp"
#include "spec/contract/contract.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace contract_tests::plan {

struct PlanInput {
  const spec::contract::Contract& contract;
  const Rules& rules;
  const RuleBook& book;
  std::vector<Case> written;  // of load_cases
  std::uint64_t seed = 0;
  std::vector<HostileText> hostile = {};
};

// Throws spec::LoadError when two cases of an operation have the same name, or a case is of a rule
// that the book lacks.
Plan make_plan(PlanInput input);

// The cases of every .yaml file in `folder`, in the order of names. Throws spec::LoadError with all
// problems; an operation that the contract lacks is one of them.
std::vector<Case> load_cases(DataFiles& files, const std::filesystem::path& folder,
                             const spec::contract::Contract& contract, const Rules& rules);

// The request that the rules of `operation` say. Path parameters that they do not name stand as
// ${OPERATION.PARAMETER}, for the run's own values.
RequestPlan ruled_request(const spec::contract::Operation& operation, const OperationRules& rules);

// True when a request of the operation, once accepted, may change something: as the rules say, else
// unless its method is safe. Source: RFC 9110 §9.2.1.
bool may_write(const spec::contract::Operation& operation, const OperationRules& rules);

}  // namespace contract_tests::plan
