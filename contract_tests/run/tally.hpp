#pragma once

// What a whole run saw that no case sees: how often each operation answered with what. Shared by
// the workers; safe from any thread.

#include "contract_tests/checks/finding.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace contract_tests::run {

struct Count {
  std::size_t answers = 0;
  std::map<int, std::size_t> statuses;
  std::size_t unasked_failures = 0;  // gateway errors that nobody asked for
};

class Tally {
 public:
  void note(const std::string& operation, int status, bool asked_for);

  std::map<std::string, Count> counts() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Count> counts_;
};

// An operation that answered nothing but 429, and one that failed now and then: with rates, as one
// violation each instead of many random failures.
checks::RuleViolations check_count(const Count& count);

}  // namespace contract_tests::run
