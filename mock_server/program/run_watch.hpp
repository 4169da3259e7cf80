#pragma once

// Collects what a run called, what violated the contract, and the coverage. The service passes each
// exchange; safe from any thread. Its size is bounded by the contract and a maximum of violations.

#include "mock_server/reply/reply.hpp"
#include "spec/contract/checking/contract_coverage.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::program {

// Calls that do not fail a run: those of --allow, and what browsers ask every server for.

class AllowedCalls {
 public:
  AllowedCalls() = default;

  // Each is "METHOD /path" as why_no_call() accepts it.
  explicit AllowedCalls(std::vector<std::string> calls) : calls_(std::move(calls)) {}

  // `target` as on the wire; its query does not count.
  bool contains(std::string_view method, std::string_view target) const;

 private:
  std::vector<std::string> calls_;
};

// True if browsers send this by themselves, for no page that asks for it.
bool is_of_browsers(std::string_view method, std::string_view target);

// Why `text` is not "METHOD /path", where "*" at the end of the path means any text; "" if it is.
std::string why_no_call(const std::string& text);

// A request that violated the contract, or a response of the mock that did.
struct CallViolations {
  std::string operation;  // an id; "" for an unknown operation
  std::string request;    // "PATCH /brands/x -> 422"
  std::vector<std::string> lines;
};

// The calls with --upstream, by the server that responded. Calls of --allow and of browsers are not
// counted.
struct ResponseCounts {
  std::uint64_t by_service = 0;
  std::uint64_t by_mock = 0;
  std::uint64_t missing = 0;                     // the mock sent an error
  std::map<std::string, std::uint64_t> reasons;  // why there was no response; the first few

  std::uint64_t calls() const { return by_service + by_mock + missing; }
};

using Statuses = std::map<int, std::uint64_t>;  // requests by the status of their response

struct Summary {
  spec::contract::CoverageReport coverage{};
  std::map<std::string, Statuses> called;  // by operation id
  std::uint64_t others = 0;                // requests to unknown operations
  std::uint64_t ignored = 0;               // the same where they are allowed, or of browsers
  std::vector<CallViolations> violations;
  std::uint64_t violation_count = 0;  // also those not in the list
  std::uint64_t on_purpose = 0;       // requests that were marked as invalid, and were
  ResponseCounts responses;

  std::uint64_t requests() const;
};

class Watch {
 public:
  explicit Watch(AllowedCalls allowed = {}) : allowed_(std::move(allowed)) {}

  void see(const reply::ObservedExchange& exchange);
  // Measured by the contract that is served at the end, after reloads.
  Summary summary(const spec::contract::Contract& contract) const;

 private:
  void note_violation(CallViolations call);
  void count_response(const reply::ObservedExchange& exchange);
  void see_unknown(const reply::ObservedExchange& exchange);

  const AllowedCalls allowed_;
  spec::contract::Coverage coverage_;
  mutable std::mutex mutex_;  // of what follows
  Summary seen_;              // all but the coverage
};

}  // namespace mock_server::program
