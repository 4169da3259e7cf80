#include "mock_server/journal/journal_coverage.hpp"

#include "mock_server/journal/journal_query.hpp"
#include "spec/contract/checking/validate_message.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace mock_server::journal {
namespace {

using nlohmann::json;
using spec::contract::Contract;
using spec::contract::CoverageReport;
using spec::contract::Operation;
using spec::contract::OperationCoverage;
using spec::contract::Point;
using spec::contract::PointKind;

constexpr std::chrono::milliseconds kTurn{1};
constexpr std::size_t kMaxMissing = 100;

std::string sentence(const Point& point) {
  constexpr std::string_view kNotGiven = " not given";
  const bool is_request = !point.text.empty() && !(point.text[0] >= '1' && point.text[0] <= '5') &&
                          !point.text.starts_with("default");
  const std::string verb = is_request ? "sent" : "returned";
  switch (point.kind) {
    case PointKind::kOperation: return "was never called";
    case PointKind::kStatus: return "status " + point.text + " was not returned";
    case PointKind::kParameter:
      return point.text.ends_with(kNotGiven)
                 ? point.text.substr(0, point.text.size() - kNotGiven.size()) +
                       " was never left out"
                 : point.text + " was not sent";
    case PointKind::kMediaType:
    case PointKind::kField: return point.text + " was not " + verb;
    case PointKind::kNull: return point.text + " was never null";
    case PointKind::kEnumeration: break;
  }
  return point.text + ": none of its values was " + verb;
}

json describe_operation(const OperationCoverage& operation) {
  json missing = json::array();
  if (!operation.was_called()) {
    missing.push_back(sentence(operation.points.front()));
  } else {
    const auto gaps = operation.gaps();
    for (const Point* const point : gaps) {
      if (missing.size() == kMaxMissing) {
        missing.push_back("and " + std::to_string(gaps.size() - kMaxMissing) + " more");
        break;
      }
      missing.push_back(sentence(*point));
    }
  }
  return {{"id", operation.id},
          {"seen", std::ranges::count_if(operation.points, &Point::seen)},
          {"points", operation.points.size()},
          {"missing", missing}};
}

json describe_uncalled(const Operation& operation, std::size_t points) {
  return {{"id", operation.id},
          {"seen", 0},
          {"points", points},
          {"missing", json::array({sentence(Point{})})}};
}

json whole(json operations) {
  std::uint64_t seen = 0;
  std::uint64_t points = 0;
  for (const json& operation : operations) {
    seen += operation["seen"].get<std::uint64_t>();
    points += operation["points"].get<std::uint64_t>();
  }
  constexpr double kWhole = 100.0;
  return {{"seen", seen},
          {"points", points},
          {"percent",
           points == 0 ? kWhole : kWhole * static_cast<double>(seen) / static_cast<double>(points)},
          {"operations", std::move(operations)}};
}

bool is_over(std::chrono::steady_clock::time_point end) {
  return std::chrono::steady_clock::now() >= end;
}

}  // namespace

void CoverageCount::note(const Contract& contract, const state::Entry& entry) {
  const Operation* const operation = contract.operation(entry.operation);
  if (entry.operation.empty() || operation == nullptr ||
      entry.chosen_by.starts_with(state::kNoResponse)) {
    return;
  }
  const auto match = contract.route(entry.request.method, path_of_entry(entry.request.target));
  const auto reading =
      spec::contract::validate_request(contract, *operation, entry.request, match.path_values);
  coverage_.note(contract, *operation, entry.request, reading);
  coverage_.note(contract, *operation, entry.response);
}

std::uint64_t CoverageCount::catch_up(const api::LoadedApi& api, const state::Journal& journal) {
  const auto end = std::chrono::steady_clock::now() + kTurn;
  const std::lock_guard lock(mutex_);
  lost_ += journal.follow(std::nullopt, mark_, [&](const state::Entry& entry) {
    note(api.contract, entry);
    requests_ += entry.chosen_by == state::kPreflight ? 0 : 1;
    return !is_over(end);
  });
  return mark_.place;
}

bool CoverageCount::measure(const api::LoadedApi& api) {
  const auto end = std::chrono::steady_clock::now() + kTurn;
  const auto operations = api.contract.operations();
  const std::lock_guard lock(mutex_);
  while (points_.size() < operations.size() && !is_over(end)) {
    points_.push_back(coverage_.report(api.contract, operations[points_.size()]).points.size());
  }
  return points_.size() == operations.size();
}

void CoverageCount::forget_measure() {
  const std::lock_guard lock(mutex_);
  points_.clear();
}

json CoverageCount::describe(const api::LoadedApi& api) const {
  const auto operations = api.contract.operations();
  const std::lock_guard lock(mutex_);
  json list = json::array();
  for (const Operation& operation : operations) {
    const bool is_known = operation.index < points_.size() && !coverage_.has_seen(operation);
    list.push_back(is_known ? describe_uncalled(operation, points_[operation.index])
                            : describe_operation(coverage_.report(api.contract, operation)));
  }
  json shown = whole(std::move(list));
  shown["requests"] = requests_;
  shown["lost"] = lost_;
  return shown;
}

json describe(const CoverageReport& report) {
  json list = json::array();
  for (const OperationCoverage& operation : report.operations) {
    list.push_back(describe_operation(operation));
  }
  return whole(std::move(list));
}

}  // namespace mock_server::journal
