#include "mock_server/state/rate_limit.hpp"

#include "mock_server/state/session_store.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace mock_server::state {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const RateLimit kTwoInTen{2, seconds(10)};
// Three at once, one more every five seconds.
const RateLimit kBucket{2, seconds(10), 3};

TimePoint at_ms(int ms) {
  return TimePoint(milliseconds(ms));
}

struct RateLimitsTest : ::testing::Test {
  TimePoint now = at_ms(0);
  Session session{"s", 1, [this] { return now; }};

  RateDecision take(std::string_view key, const RateLimit& limit, int ms) {
    now = at_ms(ms);
    return take_rate(session, key, limit);
  }

  int allowed_of(int calls, const RateLimit& limit, int ms) {
    int allowed = 0;
    for (int call = 0; call < calls; ++call) {
      allowed += take("a", limit, ms).allowed ? 1 : 0;
    }
    return allowed;
  }
};

TEST_F(RateLimitsTest, a_window_allows_as_many_as_the_limit_and_then_rejects) {
  EXPECT_TRUE(take("a", kTwoInTen, 0).allowed);
  EXPECT_TRUE(take("a", kTwoInTen, 1).allowed);
  EXPECT_FALSE(take("a", kTwoInTen, 2).allowed);
}

TEST_F(RateLimitsTest, a_window_knows_what_is_left_and_when_it_ends) {
  const RateDecision first = take("a", kTwoInTen, 500);

  EXPECT_EQ(first.limit, 2U);
  EXPECT_EQ(first.remaining, 1U);
  EXPECT_EQ(first.reset_at, at_ms(10'500));
}

TEST_F(RateLimitsTest, the_wait_is_rounded_up_to_whole_seconds) {
  EXPECT_EQ(allowed_of(2, kTwoInTen, 0), 2);

  EXPECT_EQ(take("a", kTwoInTen, 8'001).retry_after, seconds(2));
  EXPECT_EQ(take("a", kTwoInTen, 9'999).retry_after, seconds(1));
}

TEST_F(RateLimitsTest, a_new_window_starts_when_the_old_one_is_over) {
  EXPECT_EQ(allowed_of(2, kTwoInTen, 0), 2);

  EXPECT_FALSE(take("a", kTwoInTen, 9'999).allowed);
  EXPECT_TRUE(take("a", kTwoInTen, 10'000).allowed);
}

TEST_F(RateLimitsTest, each_caller_is_counted_separately) {
  EXPECT_EQ(allowed_of(3, kTwoInTen, 0), 2);

  EXPECT_TRUE(take("b", kTwoInTen, 0).allowed);
  EXPECT_FALSE(take("a", kTwoInTen, 0).allowed);
}

TEST_F(RateLimitsTest, a_bucket_gives_its_burst_at_once_and_then_one_by_one) {
  EXPECT_EQ(allowed_of(5, kBucket, 0), 3);
  EXPECT_EQ(allowed_of(5, kBucket, 4'999), 0);
  EXPECT_EQ(allowed_of(5, kBucket, 5'000), 1);
  EXPECT_EQ(allowed_of(9, kBucket, 60'000), 3);
}

TEST_F(RateLimitsTest, a_bucket_knows_what_is_left_when_it_is_full_and_how_long_to_wait) {
  const RateDecision first = take("a", kBucket, 0);
  allowed_of(2, kBucket, 0);
  const RateDecision rejected = take("a", kBucket, 1'000);

  EXPECT_EQ(first.limit, 3U);
  EXPECT_EQ(first.remaining, 2U);
  EXPECT_EQ(first.reset_at, at_ms(5'000));
  EXPECT_EQ(rejected.remaining, 0U);
  EXPECT_EQ(rejected.retry_after, seconds(4));
}

TEST_F(RateLimitsTest, simultaneous_calls_never_pass_the_limit) {
  std::atomic<int> allowed{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] {
        for (int call = 0; call < 50; ++call) {
          allowed += take_rate(session, "a", {100, seconds(10)}).allowed ? 1 : 0;
        }
      });
    }
  }

  EXPECT_EQ(allowed, 100);
}

TEST_F(RateLimitsTest, windows_that_are_over_are_removed) {
  for (int caller = 0; caller < 20'000; ++caller) {
    take(std::to_string(caller), {1, seconds(1)}, caller * 10);
  }

  EXPECT_LT(session.cell_count(), 5'000U);
}

}  // namespace
}  // namespace mock_server::state
