#pragma once

// What a run called, what violated the contract, and how much of the contract was exercised. Fed by
// the service with each exchange; safe from any thread. Its size is bounded by that of the
// contracts that are served, but for the violations, of which the first are kept.

#include "mock_server/reply/reply.hpp"
#include "spec/contract/checking/coverage.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace mock_server::run {

// A request that violated the contract, or a response of the mock that did.
struct CallViolations {
  std::string operation;  // an id; "" for none of the contract's
  std::string request;    // "PATCH /brands/x -> 422"
  std::vector<std::string> lines;
};

using Statuses = std::map<int, std::uint64_t>;  // requests by the status of their response

struct Summary {
  spec::contract::CoverageReport coverage;
  std::map<std::string, Statuses> called;  // by operation id; those of the contract alone
  std::uint64_t others = 0;                // requests to none of them
  std::vector<CallViolations> violations;
  std::uint64_t violation_count = 0;  // all of them

  std::uint64_t requests() const;
};

class Watch {
 public:
  void see(const reply::Seen& exchange);
  // Against the contract that is served in the end: after a reload another than at the start.
  Summary summary(const spec::contract::Contract& contract) const;

 private:
  void note_violation(CallViolations call);

  spec::contract::Coverage coverage_;
  mutable std::mutex mutex_;  // of all below
  std::map<std::string, Statuses> called_;
  std::uint64_t others_ = 0;
  std::vector<CallViolations> violations_;
  std::uint64_t violation_count_ = 0;
};

}  // namespace mock_server::run
