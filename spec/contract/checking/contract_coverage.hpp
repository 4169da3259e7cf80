#pragma once

// Coverage: how much of a contract was exercised. It counts points that a message can cover: one
// for each operation, status, media type, optional parameter given and left out, property, element,
// null and enumeration. A report says which of them were covered. Every message is to be added.

#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::contract {

// The kind of a point, and its text in reports.
enum class PointKind : std::uint8_t {
  kOperation,    // it was called; ""
  kStatus,       // a response that it governs: "200", "4XX", "default"
  kMediaType,    // "request application/json", "200 application/pdf"
  kParameter,    // "query page_size"; if it is optional, "query page_size not given", too
  kField,        // a property, an element ("*") or a member of a map ("*"): "200 /items/*/price"
  kNull,         // the same places as null, if that is valid
  kEnumeration,  // the same places with listed values: any of them
};

inline constexpr std::array kPointKinds{
    PointKind::kOperation, PointKind::kStatus, PointKind::kMediaType,  PointKind::kParameter,
    PointKind::kField,     PointKind::kNull,   PointKind::kEnumeration};

// "statuses", "media_types" ...
std::string_view plural(PointKind kind);

struct Point {
  PointKind kind = PointKind::kOperation;
  std::string text;
  bool seen = false;
  // The number of values of an enumeration, as information: it is one point however many it has.
  std::size_t values = 0;
  std::vector<std::string> values_seen = {};  // JSON texts, sorted
};

struct OperationCoverage {
  std::string id;
  std::string name;           // "GET /customers/{customer_id}"
  std::vector<Point> points;  // by kind, then by text; its own is the first

  bool was_called() const { return points.front().seen; }

  // The points that were not seen. If the status of a response was not seen, only the status is
  // listed.
  std::vector<const Point*> gaps() const;
};

struct CoverageReport {
  std::vector<OperationCoverage> operations;  // in the contract's order

  std::size_t points() const;
  std::size_t seen() const;
  // 100 if there are no points.
  double percent() const;
};

// The percentage of `points` that was seen, "57.1", rounded down, so that only all of them are
// "100.0". "100.0" also if there are no points.
std::string percent_text(std::size_t seen, std::size_t points);

// Collects the points that messages show. Safe from any thread; its size is bounded by that of the
// contracts. A point seen under one contract counts for every contract that has the same point.
class Coverage {
 public:
  // Adds a request. `reading` is validate_request's; a message counts whether or not it is valid.
  void note(const Contract& contract, const Operation& operation, const http::Request& request,
            const RequestReading& reading);
  // Adds a response. `body` is its JSON, if the caller has read it already. A body in a content
  // coding shows no fields.
  void note(const Contract& contract, const Operation& operation, const http::Response& response,
            const nlohmann::json* body = nullptr);

  CoverageReport report(const Contract& contract) const;
  OperationCoverage report(const Contract& contract, const Operation& operation) const;
  // True if anything was noted of the operation.
  bool has_seen(const Operation& operation) const;

  // Points by kind and text; of an enumeration, the texts of its values.
  using Points = std::map<std::pair<PointKind, std::string>, std::set<std::string>>;

 private:
  void add(const Operation& operation, const Points& points);

  mutable std::mutex mutex_;
  std::map<std::string, Points, std::less<>> seen_;  // by operation id
};

}  // namespace spec::contract
