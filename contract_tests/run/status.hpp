#pragma once

// Which statuses fit what a request deserves. A table of policy: what is a violation, what says
// nothing about the contract (a rate limit, a gateway's error), what is worth a note. Pure
// functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/exchange.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/contract/contract.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace contract_tests::run {

struct StatusVerdict {
  checks::RuleViolations violations;
  // Why the response says nothing about the case: "429 Too Many Requests". Empty when it does.
  std::string inconclusive;
  // Why the case could not be put to the server at all. Empty when it could.
  std::string unsayable;
  // True when the response carries what the case is about, so that body checks make sense.
  bool accepted = false;
};

// `why` gives the rule that a violation is one of. `operation` declares the statuses.
StatusVerdict check_status(const spec::contract::Contract& contract,
                           const spec::contract::Operation& operation, const Expectation& expect,
                           const Why& why, int status);

// A server error that the document itself lists: a failed operation, not a broken promise.
bool is_documented_failure(const spec::contract::Contract& contract,
                           const spec::contract::Operation& operation, int status);

// 429, and the statuses by which a gateway says that it could not ask (502, 503, 504): worth
// another try, never a violation by themselves.
bool is_transient(int status);

// The wait that Retry-After asks for, in seconds or until a date; nullopt where there is none that
// can be read. Source: RFC 9110 §10.2.3.
std::optional<std::chrono::milliseconds> wait_asked_for(const client::Exchange& exchange);

}  // namespace contract_tests::run
