#pragma once

// The validator's verdict on a planned request: whether it satisfies the contract, or which single
// statement it violates. It decides what a generated request must get. Pure functions.

#include "contract_tests/plan/request_plan.hpp"
#include "spec/contract/checking/validate_message.hpp"

#include <string>
#include <vector>

namespace contract_tests::plan {

struct RequestViolation {
  spec::contract::StatementId statement = 0;
  std::string rule;  // "maximum", "required", "missing"
  spec::contract::Part part = spec::contract::Part::kBody;
  std::string instance;  // "/page_size"

  friend bool operator==(const RequestViolation&, const RequestViolation&) = default;
};

struct RequestVerdict {
  std::vector<RequestViolation> violated;  // those that are certain
  bool undecided = false;                  // besides, the validator reached a limit
  bool is_built = true;                    // else a ${name} has no value: nothing was validated

  bool is_valid() const { return is_built && violated.empty() && !undecided; }

  // True if the request is neither known to be valid nor known to be invalid.
  bool is_open() const { return violated.empty() && undecided; }

  // True if it is certainly valid, or violates exactly one statement.
  bool is_decided() const { return is_built && violated.size() <= 1 && !undecided; }

  friend bool operator==(const RequestVerdict&, const RequestVerdict&) = default;
};

// ${names}, and the parameters of path and query that depend on them, count as valid: the run fills
// them in.
RequestVerdict validate_request(const spec::contract::Contract& contract,
                                const spec::contract::Operation& operation,
                                const RequestPlan& request);

// The same with these values for ${names}, which are validated along.
RequestVerdict validate_request(const spec::contract::Contract& contract,
                                const spec::contract::Operation& operation,
                                const RequestPlan& request, const Names& names);

}  // namespace contract_tests::plan
