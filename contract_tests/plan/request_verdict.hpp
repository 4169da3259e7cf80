#pragma once

// The validator's verdict on a planned request: whether it satisfies the contract, or which single
// statement it violates. It decides what a generated request must get. Pure functions.

#include "contract_tests/plan/request_plan.hpp"
#include "spec/contract/checking/validate.hpp"

#include <optional>
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
  bool decided =
      true;  // false: the validator reached a limit, or more than one statement is violated
  std::optional<RequestViolation> violated;    // nullopt: the request satisfies the contract
  bool rejected = false;                       // a statement is certainly violated
  std::vector<RequestViolation> all_violated;  // all of those
  bool open = false;  // no certain violation, but the validator reached a limit

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
