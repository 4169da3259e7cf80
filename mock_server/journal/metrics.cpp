#include "mock_server/journal/metrics.hpp"

#include <algorithm>
#include <functional>
#include <thread>

namespace mock_server::journal {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

std::size_t bucket_of(std::chrono::nanoseconds took) {
  const auto* const bound = std::ranges::lower_bound(
      Metrics::kBoundsUs, took,
      [](std::chrono::nanoseconds left, std::chrono::nanoseconds right) { return left < right; },
      [](std::uint32_t us) { return std::chrono::nanoseconds(std::chrono::microseconds(us)); });
  return static_cast<std::size_t>(bound - Metrics::kBoundsUs.begin());
}

}  // namespace

std::vector<std::pair<int, std::uint64_t>> OperationCounter::counts() const {
  std::vector<std::pair<int, std::uint64_t>> all;
  for (std::size_t slot = 0; slot < by_status_.size(); ++slot) {
    if (const std::uint64_t count = by_status_[slot].load(kRelaxed); count != 0) {
      all.emplace_back(static_cast<int>(slot) + kLowest, count);
    }
  }
  return all;
}

OperationCounter& Metrics::operation(std::string_view id) {
  const std::lock_guard lock(mutex_);
  auto found = operations_.find(id);
  if (found == operations_.end()) {
    found = operations_.emplace(std::string(id), std::make_unique<OperationCounter>()).first;
  }
  return *found->second;
}

Metrics::Shard& Metrics::shard() {
  thread_local const std::size_t mine = std::hash<std::thread::id>{}(std::this_thread::get_id());
  return shards_[mine % kShards];
}

void Metrics::count(OperationCounter& operation, const Observation& observation) {
  operation.count(observation.status);
  Shard& mine = shard();
  mine.buckets[bucket_of(observation.took)].fetch_add(1, kRelaxed);
  mine.took_ns.fetch_add(static_cast<std::uint64_t>(observation.took.count()), kRelaxed);
  if (observation.violations != 0) {
    mine.violations.fetch_add(observation.violations, kRelaxed);
    mine.invalid_requests.fetch_add(1, kRelaxed);
  }
  if (observation.response_invalid) {
    mine.invalid_responses.fetch_add(1, kRelaxed);
  }
}

void Metrics::count_invalid_response() {
  shard().invalid_responses.fetch_add(1, std::memory_order_relaxed);
}

void Metrics::count_reload(bool succeeded) {
  (succeeded ? reloads_ : failed_reloads_).fetch_add(1, kRelaxed);
}

void Metrics::count_rejection() {
  rejections_.fetch_add(1, kRelaxed);
}

Metrics::Snapshot Metrics::snapshot() const {
  Snapshot all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, counter] : operations_) {
      all.operations.emplace_back(id, counter->counts());
    }
  }
  for (const Shard& one : shards_) {
    for (std::size_t at = 0; at < one.buckets.size(); ++at) {
      all.buckets[at] += one.buckets[at].load(kRelaxed);
    }
    all.took_ns += one.took_ns.load(kRelaxed);
    all.violations += one.violations.load(kRelaxed);
    all.invalid_requests += one.invalid_requests.load(kRelaxed);
    all.invalid_responses += one.invalid_responses.load(kRelaxed);
  }
  all.reloads = reloads_.load(kRelaxed);
  all.failed_reloads = failed_reloads_.load(kRelaxed);
  all.rejections = rejections_.load(kRelaxed);
  return all;
}

}  // namespace mock_server::journal
