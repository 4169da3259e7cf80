#pragma once

// What the one validator says of a planned request: whether it satisfies the contract, or which single
// statement it breaks. By this generated requests know what they deserve. Pure functions.

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
  bool decided = true;  // false: the validator met a limit, or more than one statement is violated
  std::optional<RequestViolation> violated;  // nullopt: the request satisfies the contract
  bool rejected = false;          // a statement is violated, for sure
  std::vector<RequestViolation> all_violated;  // all of those
  bool open = false;  // none is, for sure, but the validator met a limit before all was known

  friend bool operator==(const RequestVerdict&, const RequestVerdict&) = default;
};

// ${names}, and the parameters of path and query that rest on them, are taken as good: they are the
// run's own.
RequestVerdict validate_request(const spec::contract::Contract& contract,
                      const spec::contract::Operation& operation, const RequestPlan& request);

// The same with these values for ${names}, which are validated along.
RequestVerdict validate_request(const spec::contract::Contract& contract,
                      const spec::contract::Operation& operation, const RequestPlan& request,
                      const Names& names);

}  // namespace contract_tests::plan
