#pragma once

// Recorded calls sent to the mock: its side of a comparison with a recording.

#include "contract_tests/parity/rows.hpp"
#include "contract_tests/recorded/calls.hpp"
#include "contract_tests/run/settings.hpp"

namespace contract_tests::parity {

// What the validator says of the mock's responses to the recorded requests, sent in their order,
// with the mock's token in the place of recorded credentials.
Outcomes validate_mock(const run::Settings& settings, const recorded::RecordedCalls& chosen);

}  // namespace contract_tests::parity
