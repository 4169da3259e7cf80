#pragma once

// Counters since the start, for monitoring. Counting is a few relaxed
// additions and never waits; names of operations are looked up once, when a loaded API comes on
// stage. Safe from any thread.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::journal {

// Requests of one operation, by the status of its response.
class OperationCounter {
 public:
  static constexpr int kLowest = 100;
  static constexpr int kHighest = 999;

  void count(int status) {
    const int slot = status < kLowest || status > kHighest ? kHighest : status;
    by_status_[static_cast<std::size_t>(slot - kLowest)].fetch_add(1, std::memory_order_relaxed);
  }

  // Statuses that occurred, with their counts.
  std::vector<std::pair<int, std::uint64_t>> counts() const;

 private:
  std::array<std::atomic<std::uint64_t>, kHighest - kLowest + 1> by_status_{};
};

struct Observation {
  int status = 0;
  std::chrono::nanoseconds took{0};
  std::size_t violations = 0;     // of the request
  bool response_invalid = false;  // the response violates the contract
};

class Metrics {
 public:
  // Upper bounds of the latency buckets, in microseconds; one more has no bound.
  static constexpr std::array<std::uint32_t, 13> kBoundsUs{
      25, 50, 100, 250, 500, 1'000, 2'500, 5'000, 10'000, 25'000, 100'000, 500'000, 1'000'000};

  // The counter of an operation id, "" for requests that belong to none; made if there is none. It
  // lives as long as the metrics.
  OperationCounter& operation(std::string_view id);

  void count(OperationCounter& operation, const Observation& observation);
  // Of a request that was counted when its response was still valid.
  void count_invalid_response();
  void count_reload(bool succeeded);
  // A request to which the transport responded itself.
  void count_rejection();

  struct Snapshot {
    std::vector<std::pair<std::string, std::vector<std::pair<int, std::uint64_t>>>> operations;
    std::array<std::uint64_t, kBoundsUs.size() + 1> buckets{};
    std::uint64_t took_ns = 0;
    std::uint64_t violations = 0;
    std::uint64_t invalid_requests = 0;
    std::uint64_t invalid_responses = 0;
    std::uint64_t reloads = 0;
    std::uint64_t failed_reloads = 0;
    std::uint64_t rejections = 0;
  };

  Snapshot snapshot() const;

 private:
  // Threads count in shards of their own, so that they do not fight for one line of memory.
  struct alignas(64) Shard {
    std::array<std::atomic<std::uint64_t>, kBoundsUs.size() + 1> buckets{};
    std::atomic<std::uint64_t> took_ns{0};
    std::atomic<std::uint64_t> violations{0};
    std::atomic<std::uint64_t> invalid_requests{0};
    std::atomic<std::uint64_t> invalid_responses{0};
  };

  static constexpr std::size_t kShards = 8;

  Shard& shard();

  std::array<Shard, kShards> shards_;
  std::atomic<std::uint64_t> reloads_{0};
  std::atomic<std::uint64_t> failed_reloads_{0};
  std::atomic<std::uint64_t> rejections_{0};
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<OperationCounter>, std::less<>> operations_;
};

}  // namespace mock_server::journal
