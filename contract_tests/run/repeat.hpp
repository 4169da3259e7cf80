#pragma once

// A case that was carried out several times: broken each time, or flaky. A pure function.

#include "contract_tests/run/outcome.hpp"

#include <vector>

namespace contract_tests::run {

// Broken when every time that said something was broken; kept when each of those was kept. Broken
// and kept by turns is inconclusive, with the rate as the reason. Findings are once each, with
// how often they were met; requests are those of all times. Precondition: not empty.
Outcome merge_repeats(std::vector<Outcome> times);

}  // namespace contract_tests::run
