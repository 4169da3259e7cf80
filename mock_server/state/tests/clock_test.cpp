#include "mock_server/state/session_clock.hpp"
#include "mock_server/state/session_store.hpp"

#include <gtest/gtest.h>

namespace mock_server::state {
namespace {

using std::chrono::seconds;

TimePoint at_second(int second) {
  return TimePoint(seconds(second));
}

struct ClockTest : testing::Test {
  TimePoint machine = at_second(100);
  Session session{"s", 1, [this] { return machine; }};

  void set(const ClockSetting& setting) {
    ASSERT_EQ(session.set_clock(session.read(Session::kClockCell).version, setting), Put::kDone);
  }
};

TEST_F(ClockTest, shows_the_machines_time_until_it_is_moved) {
  machine = at_second(107);

  EXPECT_EQ(session.now(), at_second(107));
}

TEST_F(ClockTest, runs_on_from_the_time_it_was_set_to) {
  set(ClockSetting::set(at_second(5000), false, machine));
  machine += seconds(3);

  EXPECT_EQ(session.now(), at_second(5003));
}

TEST_F(ClockTest, does_not_run_when_frozen_but_can_be_advanced) {
  set(ClockSetting::set(at_second(5000), true, machine));
  machine += seconds(3);
  set(session.clock().advanced(seconds(60)));

  EXPECT_TRUE(session.clock().frozen_at);
  EXPECT_EQ(session.now(), at_second(5060));
}

TEST_F(ClockTest, advances_while_running) {
  set(session.clock().advanced(seconds(-40)));
  machine += seconds(1);

  EXPECT_EQ(session.now(), at_second(61));
}

TEST_F(ClockTest, resets_to_the_machines_time) {
  set(ClockSetting::set(at_second(5000), true, machine));
  set({});

  EXPECT_EQ(session.now(), at_second(100));
  EXPECT_TRUE(session.is_untouched());
}

TEST_F(ClockTest, a_setting_reads_back_as_it_was_written) {
  const auto running = ClockSetting::set(at_second(5000), false, machine);
  const auto frozen = ClockSetting::set(at_second(-5000), true, machine);

  EXPECT_EQ(ClockSetting::read(running.text()), running);
  EXPECT_EQ(ClockSetting::read(frozen.text()), frozen);
}

}  // namespace
}  // namespace mock_server::state
