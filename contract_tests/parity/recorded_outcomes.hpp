#pragma once

// Validates responses that are there already as a case run validates those that it gets: the suite
// and a recording say the same of the same response.

#include "contract_tests/parity/recorded_calls.hpp"
#include "contract_tests/parity/rows.hpp"
#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/run_settings.hpp"
#include "contract_tests/run/sender.hpp"
#include "spec/contract/checking/contract_coverage.hpp"

namespace contract_tests::parity {

using run::Outcomes;

// Runs cases on exchanges; belongs to one thread. Calls Settings::after_case.
class ResponseValidation {
 public:
  // `settings` must outlive it.
  explicit ResponseValidation(const run::Settings& settings);

  run::Outcome validate(const run::Case& item, client::Exchange exchange, bool body_is_lost);

  // For who sends the requests of cases.
  run::Sender& sender() { return sender_; }

  const spec::contract::Coverage& coverage() const { return context_.coverage; }

 private:
  run::RunContext context_;
  run::Sender sender_;
};

struct ValidatedCalls {
  Outcomes outcomes;
  spec::contract::CoverageReport coverage;  // of the operations with calls
};

// Validates the recorded responses. Sends nothing; Settings::sends must be false.
ValidatedCalls validate_calls(const run::Settings& settings, const RecordedCalls& recorded);

// Recorded calls as the cases of a run. Calls with the same request are one case, whose id is the
// same in every recording: so that runs can be compared, and a baseline knows what was tried again.

struct Cases {
  run::Plan plan;
  Outcomes outcomes;
};

// Equal are method, target and body, without the secrets of `settings`; the id is
// "GET_items_id.recorded_request_" and 16 hex digits of their hash. A case fails if one of its
// calls does; it shows the steps of those that found something, and of a few others. Findings get
// their state by the baseline.
Cases by_request(const run::Settings& settings, RecordedCalls recorded, Outcomes outcomes);

// Recorded calls sent to the mock: its side of a comparison with a recording.

// Sends the recorded requests to the mock, in their order, with the mock's token instead of
// recorded credentials, and validates its responses.
Outcomes validate_mock(const run::Settings& settings, const RecordedCalls& chosen);

}  // namespace contract_tests::parity
