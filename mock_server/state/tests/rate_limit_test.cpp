#include "mock_server/state/rate_limit.hpp"

#include <gtest/gtest.h>

namespace mock_server::state {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const RateLimit kTwoInTen{2, seconds(10)};

TimePoint at(int ms) {
  return TimePoint(milliseconds(ms));
}

TEST(RateLimiter, allows_as_many_as_the_limit_and_then_refuses) {
  RateLimiter limiter;

  EXPECT_TRUE(limiter.take("a", kTwoInTen, at(0)).allowed);
  EXPECT_TRUE(limiter.take("a", kTwoInTen, at(1)).allowed);
  EXPECT_FALSE(limiter.take("a", kTwoInTen, at(2)).allowed);
}

TEST(RateLimiter, says_what_is_left_and_when_the_window_ends) {
  RateLimiter limiter;

  const RateDecision first = limiter.take("a", kTwoInTen, at(500));

  EXPECT_EQ(first.limit, 2U);
  EXPECT_EQ(first.remaining, 1U);
  EXPECT_EQ(first.reset_at, at(10'500));
}

TEST(RateLimiter, rounds_the_wait_up_to_whole_seconds) {
  RateLimiter limiter;
  limiter.take("a", kTwoInTen, at(0));
  limiter.take("a", kTwoInTen, at(0));

  EXPECT_EQ(limiter.take("a", kTwoInTen, at(8'001)).retry_after, seconds(2));
  EXPECT_EQ(limiter.take("a", kTwoInTen, at(9'999)).retry_after, seconds(1));
}

TEST(RateLimiter, starts_a_new_window_when_the_old_one_is_over) {
  RateLimiter limiter;
  limiter.take("a", kTwoInTen, at(0));
  limiter.take("a", kTwoInTen, at(0));

  EXPECT_FALSE(limiter.take("a", kTwoInTen, at(9'999)).allowed);
  EXPECT_TRUE(limiter.take("a", kTwoInTen, at(10'000)).allowed);
}

TEST(RateLimiter, counts_each_caller_apart) {
  RateLimiter limiter;
  limiter.take("a", kTwoInTen, at(0));
  limiter.take("a", kTwoInTen, at(0));

  EXPECT_TRUE(limiter.take("b", kTwoInTen, at(0)).allowed);
  EXPECT_FALSE(limiter.take("a", kTwoInTen, at(0)).allowed);
}

TEST(RateLimiter, looking_uses_nothing_up) {
  RateLimiter limiter;
  limiter.take("a", kTwoInTen, at(0));

  EXPECT_EQ(limiter.look("a", kTwoInTen, at(1)).remaining, 1U);
  EXPECT_EQ(limiter.look("a", kTwoInTen, at(1)).remaining, 1U);
  EXPECT_EQ(limiter.look("b", kTwoInTen, at(1)).remaining, 2U);
}

TEST(RateLimiter, stays_bounded_under_ever_new_callers) {
  RateLimiter limiter;
  limiter.take("first", {1, seconds(1)}, at(0));
  for (int caller = 0; caller < 5'000; ++caller) {
    limiter.take(std::to_string(caller), {1, seconds(1)}, at(2'000));
  }

  EXPECT_TRUE(limiter.take("first", {1, seconds(1)}, at(2'000)).allowed);
}

}  // namespace
}  // namespace mock_server::state
