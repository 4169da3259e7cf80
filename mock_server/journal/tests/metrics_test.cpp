#include "mock_server/journal/metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace mock_server::state {
namespace {

using std::chrono::microseconds;
using testing::ElementsAre;
using testing::Pair;

TEST(Metrics, counts_requests_by_operation_and_status) {
  journal::Metrics metrics;

  metrics.count(metrics.operation("read"), {200});
  metrics.count(metrics.operation("read"), {404});
  metrics.count(metrics.operation("read"), {404});
  metrics.count(metrics.operation(""), {404});

  EXPECT_THAT(metrics.snapshot().operations,
              ElementsAre(Pair("", ElementsAre(Pair(404, 1U))),
                          Pair("read", ElementsAre(Pair(200, 1U), Pair(404, 2U)))));
}

TEST(Metrics, puts_a_duration_into_the_first_bucket_that_holds_it) {
  journal::Metrics metrics;
  journal::OperationCounter& operation = metrics.operation("a");

  metrics.count(operation, {200, microseconds(25)});
  metrics.count(operation, {200, microseconds(26)});
  metrics.count(operation, {200, std::chrono::seconds(5)});

  const auto buckets = metrics.snapshot().buckets;
  EXPECT_EQ(buckets.front(), 1U);
  EXPECT_EQ(buckets[1], 1U);
  EXPECT_EQ(buckets.back(), 1U);
  EXPECT_EQ(metrics.snapshot().took_ns, 5'000'051'000U);
}

TEST(Metrics, counts_violations_of_the_contract) {
  journal::Metrics metrics;

  metrics.count(metrics.operation("a"), {422, microseconds(1), 3, false});
  metrics.count(metrics.operation("a"), {200, microseconds(1), 0, true});

  const auto all = metrics.snapshot();
  EXPECT_EQ(all.violations, 3U);
  EXPECT_EQ(all.invalid_requests, 1U);
  EXPECT_EQ(all.invalid_responses, 1U);
}

TEST(Metrics, loses_no_counts_of_many_threads) {
  journal::Metrics metrics;
  journal::OperationCounter& operation = metrics.operation("a");
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int round = 0; round < 1'000; ++round) {
          metrics.count(operation, {200, microseconds(1)});
        }
      });
    }
  }

  EXPECT_EQ(metrics.snapshot().buckets.front(), 4'000U);
  EXPECT_THAT(operation.counts(), ElementsAre(Pair(200, 4'000U)));
}

}  // namespace
}  // namespace mock_server::state
