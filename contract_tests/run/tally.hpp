#pragma once

// How often each operation responded with which status, over the whole run. Shared by the workers;
// safe from any thread.

#include "contract_tests/checks/finding.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace contract_tests::run {

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
