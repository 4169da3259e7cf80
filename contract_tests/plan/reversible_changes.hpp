#pragma once

// Decides if changes by an operation can be undone with the contract alone, without rules: GET of
// the same path shows the whole record that its path names, and PUT or PATCH of that path writes
// it. Everything else cannot be undone this way: records that POST creates or DELETE removes,
// changes of many records at once. Pure functions; the run reads and writes (run/undo.cpp).

#include "contract_tests/plan/rule_book.hpp"
#include "spec/contract/contract.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::plan {

struct Restoration {
  const spec::contract::Operation* read = nullptr;   // GET
  const spec::contract::Operation* write = nullptr;  // PUT, else PATCH
  std::vector<std::string> members;                  // that `write` writes
  std::vector<std::string> shown;                    // that the contract says GET shows
  std::string why_not;  // why it cannot be undone; "" if the rest is given
};

// The operation of this method at this path template; null if there is none.
const spec::contract::Operation* find_operation(const spec::contract::Contract& contract,
                                                std::string_view method, std::string_view path);

// Precondition: `operation` may change something.
Restoration restoration_of(const spec::contract::Contract& contract,
                           const spec::contract::Operation& operation);

// Why changes by `operation` cannot be undone; "" when they can, when the rules say how, or when it
// changes nothing.
std::string lasting_of(const spec::contract::Contract& contract,
                       const spec::contract::Operation& operation, const OperationRules& rules);

}  // namespace contract_tests::plan
