#include "mock_server/reply/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>

namespace mock_server::reply {
namespace {

constexpr std::size_t kLimit = 1'000;

TEST(Charge, takes_what_there_is_room_for) {
  MemoryBudget budget(kLimit);
  Charge first(budget);
  Charge second(budget);

  EXPECT_TRUE(first.try_add(kLimit - 1));
  EXPECT_FALSE(second.try_add(2));
  EXPECT_TRUE(second.try_add(1));
  first.change_to(0);
  EXPECT_EQ(budget.used(), 1U);
}

TEST(Charge, leaves_half_to_what_cannot_be_left_out) {
  MemoryBudget budget(kLimit);
  Charge optional(budget);
  Charge needed(budget);

  EXPECT_TRUE(optional.try_add_to_half(kLimit / 2));
  EXPECT_FALSE(optional.try_add_to_half(1));
  EXPECT_TRUE(needed.try_add(kLimit / 2));
  EXPECT_FALSE(optional.try_add_to_half(0));
}

// Others would be rejected for memory that nobody gets.
TEST(Charge, of_too_much_takes_nothing_even_for_a_moment) {
  MemoryBudget budget(kLimit);
  std::atomic<bool> ends{false};
  const std::jthread greedy([&] {
    Charge charge(budget);
    while (!ends) {
      EXPECT_FALSE(charge.try_add(kLimit + 1));
    }
  });

  std::size_t most = 0;
  for (int at = 0; at < 1'000'000; ++at) {
    most = std::max(most, budget.used());
  }
  ends = true;

  EXPECT_EQ(most, 0U);
}

}  // namespace
}  // namespace mock_server::reply
