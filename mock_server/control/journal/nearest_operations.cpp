#include "mock_server/control/journal/nearest_operations.hpp"

#include "spec/http/message.hpp"
#include "spec/text/nearest.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

namespace mock_server::control::journal {
namespace {

using spec::contract::Operation;

constexpr std::size_t kMaxSegments = 32;

// The likeness of a path and a template: two points for each equal segment, one for a probably
// misspelt one. Skips the first `skipped` segments, which may be the path of a server.
std::size_t likeness(std::span<const std::string_view> path, std::size_t skipped,
                     std::span<const std::string_view> pattern) {
  std::size_t points = 0;
  for (std::size_t at = 0; at < std::min(path.size() - skipped, pattern.size()); ++at) {
    const std::string_view given = path[at + skipped];
    points += given == pattern[at]                                             ? 2
              : spec::text::nearest(given, pattern.subspan(at, 1)).has_value() ? 1
                                                                               : 0;
  }
  return points;
}

// Points, whether the method is the same, and how little the number of segments differs.
using Rank = std::tuple<std::size_t, bool, std::size_t>;

Rank rank_of(const Operation& operation, std::string_view method,
             std::span<const std::string_view> path) {
  const auto pattern = spec::http::segments_of(operation.path);
  Rank best{};
  for (std::size_t skipped = 0; skipped < path.size(); ++skipped) {
    const std::size_t length = path.size() - skipped;
    const std::size_t gap = std::max(length, pattern.size()) - std::min(length, pattern.size());
    best = std::max(best, Rank{likeness(path, skipped, pattern), operation.method == method,
                               kMaxSegments * 8 - std::min(gap + skipped, kMaxSegments * 8)});
  }
  return best;
}

}  // namespace

std::vector<const Operation*> nearest_operations(const spec::contract::Contract& contract,
                                                 std::string_view method, std::string_view path,
                                                 const NearestLimits& limits) {
  auto segments = spec::http::segments_of(path);
  segments.resize(std::min(segments.size(), kMaxSegments));
  std::vector<std::pair<Rank, const Operation*>> ranked;
  for (const Operation& operation : contract.operations()) {
    const Rank rank = rank_of(operation, method, segments);
    if (std::get<0>(rank) >= limits.min_points) {
      ranked.emplace_back(rank, &operation);
    }
  }
  std::ranges::stable_sort(ranked, std::greater{}, &std::pair<Rank, const Operation*>::first);
  std::vector<const Operation*> nearest;
  for (const auto& [rank, operation] : ranked) {
    if (nearest.size() < limits.operations) {
      nearest.push_back(operation);
    }
  }
  return nearest;
}

}  // namespace mock_server::control::journal
