#include "contract_tests/run/tally.hpp"

#include "contract_tests/run/status.hpp"

namespace contract_tests::run {

void Tally::note(const std::string& operation, int status, bool asked_for) {
  const std::lock_guard lock(mutex_);
  auto& count = counts_[operation];
  ++count.responses;
  ++count.statuses[status];
  if (!asked_for && is_transient(status) && status != 429) {
    ++count.gateway_errors;
  }
}

std::map<std::string, Count> Tally::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

checks::RuleViolations check_count(const Count& count) {
  constexpr std::size_t kMinResponses = 8;
  checks::RuleViolations violations;
  if (count.responses < kMinResponses) {
    return violations;
  }
  const auto limited = count.statuses.find(429);
  if (limited != count.statuses.end() && limited->second == count.responses) {
    violations.push_back({"status/never-usable", "status",
                          "must succeed sometimes, but all " + std::to_string(count.responses) +
                              " responses were 429 Too Many Requests"});
  }
  if (count.gateway_errors > 1) {
    violations.push_back(
        {"status/flaky", "status",
         "must not fail now and then, but " + std::to_string(count.gateway_errors) + " of " +
             std::to_string(count.responses) + " responses were gateway errors (502, 503, 504)"});
  }
  return violations;
}

}  // namespace contract_tests::run
