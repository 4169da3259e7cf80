#include "mock_server/state/clock.hpp"

#include <gtest/gtest.h>

namespace mock_server::state {
namespace {

using std::chrono::seconds;

TimePoint at(int second) {
  return TimePoint(seconds(second));
}

struct ClockTest : testing::Test {
  TimePoint machine = at(100);
  Clock clock{[this] { return machine; }};
};

TEST_F(ClockTest, shows_the_machines_time_until_it_is_moved) {
  machine = at(107);

  EXPECT_EQ(clock.now(), at(107));
}

TEST_F(ClockTest, runs_on_from_the_time_it_was_set_to) {
  clock.set(at(5000), false);
  machine += seconds(3);

  EXPECT_EQ(clock.now(), at(5003));
}

TEST_F(ClockTest, stands_still_when_frozen_and_still_advances_when_told) {
  clock.set(at(5000), true);
  machine += seconds(3);
  clock.advance(seconds(60));

  EXPECT_TRUE(clock.is_frozen());
  EXPECT_EQ(clock.now(), at(5060));
}

TEST_F(ClockTest, advances_while_running) {
  clock.advance(seconds(-40));
  machine += seconds(1);

  EXPECT_EQ(clock.now(), at(61));
}

TEST_F(ClockTest, reset_gives_the_machines_time_back) {
  clock.set(at(5000), true);
  clock.reset();

  EXPECT_FALSE(clock.is_frozen());
  EXPECT_EQ(clock.now(), at(100));
}

}  // namespace
}  // namespace mock_server::state
