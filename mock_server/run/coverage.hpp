#pragma once

// What a run called, what broke the contract, and what of the contract was never exercised. Fed by
// the service with each exchange; safe from any thread. Its size is bounded by that of the
// contracts that are served, but for the breaches, of which the first are kept.

#include "mock_server/service/mock_service.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace mock_server::run {

// A request that broke the contract, or an answer of the double that did.
struct Breach {
  std::string operation;  // an id; "" for none of the contract's
  std::string request;    // "PATCH /brands/x -> 422"
  std::vector<std::string> lines;
};

struct OperationSummary {
  std::string id;
  std::string name;                          // "GET /customers/{customer_id}"
  std::map<int, std::uint64_t> answers;      // requests by status
  std::vector<std::string> unseen_statuses;  // declared and never sent
  std::vector<std::string> unseen_fields;    // "query page_size", "200 /items/*/name"
  std::vector<std::string> unseen_values;    // "200 /currency = EUR"
  std::size_t points = 0;                    // everything that could be exercised, itself included
  std::size_t seen = 0;

  std::uint64_t requests() const;
};

struct Summary {
  std::vector<OperationSummary> operations;  // in the contract's order
  std::uint64_t others = 0;                  // requests to none of them
  std::vector<Breach> breaches;
  std::uint64_t breach_count = 0;  // all of them

  std::uint64_t requests() const;
  std::size_t points() const;
  std::size_t seen() const;
  // Percent; 100 when there is nothing to exercise.
  double coverage() const;
};

class Coverage {
 public:
  void see(const service::Seen& exchange);
  // Against the contract that is served in the end: after a reload another than at the start.
  Summary summary(const spec::contract::Contract& contract) const;

 private:
  // What was seen of an operation, by its texts: those that any contract it was served by declares.
  struct Page {
    std::set<std::string, std::less<>> seen;
    std::map<int, std::uint64_t> answers;
  };

  void note_breach(Breach breach);

  mutable std::mutex mutex_;
  std::map<std::string, Page, std::less<>> pages_;  // by operation id
  std::uint64_t others_ = 0;
  std::vector<Breach> breaches_;
  std::uint64_t breach_count_ = 0;
};

}  // namespace mock_server::run
