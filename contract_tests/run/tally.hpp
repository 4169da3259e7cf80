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
};

class Tally {
 public:
  void note(const std::string& operation, int status);
  // So many gateway errors were followed by another response to the same request.
  void note_recovery(const std::string& operation, std::size_t gateway_errors);

  std::map<std::string, Count> counts() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Count> counts_;
};

// An operation that responded only with 429 or errors of a gateway, and one that failed now and
// then: one violation each, with the rate, instead of many random failures.
checks::RuleViolations check_count(const Count& count);

}  // namespace contract_tests::run
