#pragma once

// Cases that people wrote: contract_tests/cases/*.yaml.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/contract/contract.hpp"

#include <filesystem>
#include <vector>

namespace contract_tests::demands {

// The cases of every .yaml file in `folder`, in the order of names. Throws spec::LoadError with all
// problems; an operation that the contract lacks and a rule that the book lacks are some.
std::vector<run::Case> load_cases(plan::DataFiles& files, const std::filesystem::path& folder,
                                  const spec::contract::Contract& contract,
                                  const plan::Rules& rules, const plan::RuleBook& book);

}  // namespace contract_tests::demands
