#pragma once

// What the response to a recorded request must be. Pure functions.

#include "contract_tests/run/case.hpp"
#include "spec/contract/contract.hpp"
#include "spec/har/har.hpp"

#include <string>
#include <utility>
#include <vector>

namespace contract_tests::recorded {

// Sets what `item` expects whoever answers: a rejection where the request of `call` violates the
// contract, else a success or a rejection. `path` is Match::path_values.
void expect(const spec::contract::Contract& contract, const spec::contract::Operation& operation,
            const spec::har::Call& call,
            const std::vector<std::pair<std::string, std::string>>& path, run::Case& item);

// The same for this response alone, as a run says it: a client may get any rejection (no key, too
// many calls, a state that forbids it), and what the contract declares beside successes.
// Precondition: expect() was called, and the call has a response.
void expect_response(const spec::contract::Contract& contract, const spec::har::Call& call,
                     run::Case& item);

}  // namespace contract_tests::recorded
