#pragma once

// The result of a case that ran several times: failed each time, or flaky. A pure function.

#include "contract_tests/run/outcome.hpp"

#include <vector>

namespace contract_tests::run {

// Failed when every conclusive time failed; passed when each of those passed. Mixed results are
// inconclusive, with the rate as the reason. Each finding is in the result once, with the number of
// times that it was met; the requests are those of all times. Precondition: not empty.
Outcome merge_repeats(std::vector<Outcome> times);

}  // namespace contract_tests::run
