#pragma once

// Collects what a run called, what violated the contract, and the coverage. The service passes each
// exchange; safe from any thread. Its size is bounded by the contract and a maximum of violations.

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
  std::string operation;  // an id; "" for an unknown operation
  std::string request;    // "PATCH /brands/x -> 422"
  std::vector<std::string> lines;
};

using Statuses = std::map<int, std::uint64_t>;  // requests by the status of their response

struct Summary {
  spec::contract::CoverageReport coverage;
  std::map<std::string, Statuses> called;  // by operation id
  std::uint64_t others = 0;                // requests to unknown operations
  std::vector<CallViolations> violations;
  std::uint64_t violation_count = 0;  // also those not in the list

  std::uint64_t requests() const;
};

class Watch {
 public:
  void see(const reply::ObservedExchange& exchange);
  // Measured by the contract that is served at the end, after reloads.
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
