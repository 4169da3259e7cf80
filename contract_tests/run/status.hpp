#pragma once

// Validates the status of a response: violations, inconclusive statuses (a rate limit, a gateway's
// error), notes. Pure functions.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/run/case.hpp"
#include "spec/contract/contract.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace contract_tests::run {

// "404 Not Found".
std::string named(int status);

struct StatusVerdict {
  checks::RuleViolations violations;
  // Why the response says nothing about the case: "429 Too Many Requests". Empty when it does.
  std::string inconclusive;
  // Why the case cannot be tested with this set-up. Empty when it can.
  std::string cannot_test;
  // True when the body of the response can be checked.
  bool accepted = false;
};

// `why` gives the rule that a violation is one of. `operation` declares the statuses.
StatusVerdict check_status(const spec::contract::Contract& contract,
                           const spec::contract::Operation& operation, const Expectation& expect,
                           const CaseBasis& why, int status);

// A server error that the document declares: a failure of the operation, not a violation.
bool is_documented_failure(const spec::contract::Contract& contract,
                           const spec::contract::Operation& operation, int status);

// 429, and the statuses of a gateway that could not reach the service (502, 503, 504): retried,
// never a violation by themselves.
bool is_transient(int status);

// 404 and 410: there is nothing at the path, or nothing any more.
bool is_gone(int status);

// The wait that Retry-After asks for, in seconds or until a date; nullopt if there is none that
// can be read. Source: RFC 9110 §10.2.3.
std::optional<std::chrono::milliseconds> wait_asked_for(const client::Exchange& exchange);

// Counts the statuses of each operation over the whole run. Shared by the workers; safe from any
// thread.

struct Count {
  std::size_t responses = 0;
  std::map<int, std::size_t> statuses;
  // 502, 503, 504 after which the same request, sent again, got another response.
  std::size_t gateway_errors = 0;
  std::size_t invalid = 0;   // requests that had to be rejected
  std::size_t accepted = 0;  // of those, with a success
};

class Tally {
 public:
  void note(const std::string& operation, int status);
  // So many gateway errors were followed by another response to the same request.
  void note_recovery(const std::string& operation, std::size_t gateway_errors);

  // A request that has to be rejected got a success, or not.
  void note_invalid(const std::string& operation, bool accepted);

  std::map<std::string, Count> counts() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Count> counts_;
};

// An operation that responded only with 429 or errors of a gateway, and one that failed now and
// then: one violation each, with the rate, instead of many random failures.
checks::RuleViolations check_count(const Count& count);

// A service that accepted every one of many invalid requests, by operation.
checks::RuleViolations check_acceptance(const std::map<std::string, Count>& counts);

}  // namespace contract_tests::run
