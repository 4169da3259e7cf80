#pragma once

// For tests that look at each boundary request of an operation.

#include "contract_tests/plan/generated_request.hpp"

#include <vector>

namespace contract_tests::plan {

// All of them.
inline std::vector<BoundaryRequest> boundary_requests(
    const spec::contract::Contract& contract, const spec::schema::generate::Generator& generator,
    const spec::contract::Operation& operation) {
  std::vector<BoundaryRequest> found;
  each_boundary_request(contract, generator, operation, {},
                        {.wants = [](const Boundary&) { return true; },
                         .take = [&found](const BoundaryRequest& each) { found.push_back(each); }});
  return found;
}

}  // namespace contract_tests::plan
