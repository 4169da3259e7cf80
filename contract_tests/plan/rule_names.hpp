#pragma once

// Names in a rules file that the contract does not have: of operations, parameters, members of
// bodies and subjects. A rule with a misspelt name tests nothing, and the run passes. Pure
// functions.

#include "contract_tests/plan/rule_book.hpp"
#include "spec/contract/contract.hpp"
#include "spec/document/document.hpp"
#include "spec/load_error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::plan {

struct RuleNames {
  std::vector<spec::Problem> unknown;
  std::vector<spec::Problem> undecided;  // the contract says too little of the place
};

// `root` keeps rules.schema.yaml and declares `subjects`.
RuleNames check_rule_names(const spec::document::Node& root, const std::vector<Subject>& subjects,
                           const spec::contract::Contract& contract);

// Messages for an id that the contract lacks and for a rule that the book lacks, with a near one.
std::string no_operation(std::string_view id, const spec::contract::Contract& contract);
std::string no_rule(std::string_view rule, const RuleBook& book);

}  // namespace contract_tests::plan
