#pragma once

// What a run called, what broke the contract, and what of the contract was never exercised. Fed by
// the service with each exchange; safe from any thread. Its size is bounded by the contract's, but
// for the breaches, of which the first are kept.

#include "mock_server/fixtures/world.hpp"
#include "mock_server/service/mock_service.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
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
  explicit Coverage(std::shared_ptr<const fixtures::World> world);

  void see(const service::Seen& exchange);
  Summary summary() const;

 private:
  enum class Kind : std::uint8_t { kOperation, kStatus, kField, kValue };

  struct Point {
    Kind kind = Kind::kField;
    std::string text;
    bool seen = false;
  };

  struct Page {
    std::vector<Point> points;
    std::unordered_map<std::string, std::size_t> by_text;
    std::map<int, std::uint64_t> answers;
  };

  static void declare(Page& page, Kind kind, const std::string& text);
  static void mark(Page& page, const std::string& text);
  static void declare_operation(Page& page, const spec::contract::Operation& operation);
  void mark_request(Page& page, const spec::contract::Operation& operation,
                    const spec::contract::RequestReading& reading) const;
  static void mark_answer(Page& page, const spec::contract::Operation& operation,
                          const spec::http::Response& response);
  void note_breach(Breach breach);

  std::shared_ptr<const fixtures::World> world_;  // as it was at the start
  mutable std::mutex mutex_;
  std::vector<Page> pages_;  // by Operation::index
  std::uint64_t others_ = 0;
  std::vector<Breach> breaches_;
  std::uint64_t breach_count_ = 0;
};

}  // namespace mock_server::run
