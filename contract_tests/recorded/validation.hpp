#pragma once

// Validates responses that are there already as a case run validates those that it gets: the suite
// and a recording say the same of the same response.

#include "contract_tests/recorded/calls.hpp"
#include "contract_tests/run/case_run.hpp"
#include "contract_tests/run/outcome.hpp"
#include "contract_tests/run/sender.hpp"
#include "contract_tests/run/settings.hpp"
#include "spec/contract/checking/contract_coverage.hpp"

namespace contract_tests::recorded {

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

struct Validated {
  Outcomes outcomes;
  spec::contract::CoverageReport coverage;  // of the operations with calls
};

// What the validator says of the recorded responses. Sends nothing; Settings::sends is to be false.
Validated validate_calls(const run::Settings& settings, const RecordedCalls& recorded);

}  // namespace contract_tests::recorded
