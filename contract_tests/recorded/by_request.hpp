#pragma once

// Recorded calls as the cases of a run. Calls with the same request are one case, whose id is the
// same in every recording: so that runs can be compared, and a baseline knows what was tried again.

#include "contract_tests/recorded/calls.hpp"
#include "contract_tests/recorded/validation.hpp"
#include "contract_tests/run/settings.hpp"

namespace contract_tests::recorded {

struct Cases {
  run::Plan plan;
  Outcomes outcomes;
};

// Equal are method, target and body, without the secrets of `settings`; the id is
// "GET_items_id.recorded_request_" and 16 hex digits of their hash. A case fails if one of its
// calls does; it shows the steps of those that found something, and of a few others. Findings get
// their state by the baseline.
Cases by_request(const run::Settings& settings, RecordedCalls recorded, Outcomes outcomes);

}  // namespace contract_tests::recorded
