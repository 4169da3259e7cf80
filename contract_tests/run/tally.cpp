#include "contract_tests/run/tally.hpp"

#include "contract_tests/run/status.hpp"

namespace contract_tests::run {

void Tally::note(const std::string& operation, int status, bool asked_for) {
  const std::lock_guard lock(mutex_);
  auto& count = counts_[operation];
  ++count.answers;
  ++count.statuses[status];
  if (!asked_for && is_transient(status) && status != 429) {
    ++count.unasked_failures;
  }
}

std::map<std::string, Count> Tally::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

checks::RuleViolations check_count(const Count& count) {
  constexpr std::size_t kEnoughAnswers = 8;
  checks::RuleViolations violations;
  if (count.answers < kEnoughAnswers) {
    return violations;
  }
  const auto limited = count.statuses.find(429);
  if (limited != count.statuses.end() && limited->second == count.answers) {
    violations.push_back({"status/never-usable", "status",
                          "must be usable at times, but all " + std::to_string(count.answers) +
                              " answers were 429 Too Many Requests"});
  }
  if (count.unasked_failures > 1) {
    violations.push_back({"status/flaky", "status",
                          "must answer reliably, but " + std::to_string(count.unasked_failures) +
                              " of " + std::to_string(count.answers) +
                              " answers were errors of a gateway (502, 503, 504)"});
  }
  return violations;
}

}  // namespace contract_tests::run
