#include "contract_tests/run/tally.hpp"

#include "contract_tests/run/status.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>

namespace contract_tests::run {

namespace {

// The statuses of a count, in words: "429" or "502 and 503".
std::string list_of(const std::map<int, std::size_t>& statuses) {
  std::string list;
  for (const auto& [status, count] : statuses) {
    spec::text::append_to_list(list, std::to_string(status), " and ");
  }
  return list;
}

}  // namespace

void Tally::note(const std::string& operation, int status) {
  const std::lock_guard lock(mutex_);
  auto& count = counts_[operation];
  ++count.responses;
  ++count.statuses[status];
}

void Tally::note_recovery(const std::string& operation, std::size_t gateway_errors) {
  const std::lock_guard lock(mutex_);
  counts_[operation].gateway_errors += gateway_errors;
}

void Tally::note_invalid(const std::string& operation, bool accepted) {
  const std::lock_guard lock(mutex_);
  auto& count = counts_[operation];
  ++count.invalid;
  count.accepted += accepted ? 1 : 0;
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
  const bool never_usable = std::ranges::all_of(
      count.statuses, [](const auto& entry) { return is_transient(entry.first); });
  if (never_usable) {
    violations.push_back(
        {"status/never-usable", "status", "must succeed sometimes",
         "all " + std::to_string(count.responses) + " responses were " + list_of(count.statuses)});
  }
  if (count.gateway_errors > 1) {
    violations.push_back(
        {"status/flaky", "status", "must not fail now and then",
         std::to_string(count.gateway_errors) + " of " + std::to_string(count.responses) +
             " responses were gateway errors (502, 503, 504) that the same request did not get "
             "again"});
  }
  return violations;
}

checks::RuleViolations check_acceptance(const std::map<std::string, Count>& counts) {
  constexpr std::size_t kMany = 12;
  std::size_t invalid = 0;
  std::size_t accepted = 0;
  for (const auto& [operation, count] : counts) {
    invalid += count.invalid;
    accepted += count.accepted;
  }
  if (invalid < kMany || accepted != invalid) {
    return {};
  }
  return {{"status/accepts-everything", "status", "must reject invalid requests",
           "accepted all " + std::to_string(invalid) + " of them: it seems to check nothing"}};
}

}  // namespace contract_tests::run
