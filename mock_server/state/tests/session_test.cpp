#include "mock_server/state/session.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace mock_server::state {
namespace {

TEST(Session, reads_nothing_from_a_cell_that_was_never_set) {
  const Session session("s", 1, system_now);

  EXPECT_FALSE(session.read("record/brands/b"));
  EXPECT_TRUE(session.is_untouched());
}

TEST(Session, sets_a_cell_when_the_version_still_fits) {
  Session session("s", 1, system_now);

  EXPECT_TRUE(session.compare_and_set("k", 0, "one"));
  EXPECT_EQ(*session.read("k").text, "one");
  EXPECT_FALSE(session.is_untouched());
}

TEST(Session, refuses_a_change_that_rests_on_an_old_version) {
  Session session("s", 1, system_now);
  session.compare_and_set("k", 0, "one");

  EXPECT_FALSE(session.compare_and_set("k", 0, "two"));
  EXPECT_EQ(*session.read("k").text, "one");
}

TEST(Session, a_version_from_before_a_reset_fits_nothing_after_it) {
  Session session("s", 1, system_now);
  session.compare_and_set("k", 0, "one");
  const std::uint64_t old = session.read("k").version;
  session.reset();
  session.compare_and_set("k", 0, "again");

  EXPECT_FALSE(session.compare_and_set("k", old, "late"));
  EXPECT_EQ(*session.read("k").text, "again");
}

TEST(Session, exactly_one_of_many_simultaneous_changes_takes_a_step) {
  Session session("s", 1, system_now);
  std::atomic<int> winners{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] { winners += session.compare_and_set("step", 0, "1") ? 1 : 0; });
    }
  }

  EXPECT_EQ(winners, 1);
}

TEST(Session, reset_forgets_cells_clock_and_rates) {
  Session session("s", 1, [] { return TimePoint(std::chrono::seconds(100)); });
  session.compare_and_set("k", 0, "one");
  session.clock().set(TimePoint(std::chrono::seconds(5)), true);
  session.rates().take("a", {1, std::chrono::seconds(10)}, session.clock().now());
  session.reset();

  EXPECT_FALSE(session.read("k"));
  EXPECT_EQ(session.clock().now(), TimePoint(std::chrono::seconds(100)));
  EXPECT_TRUE(session.rates().take("a", {1, std::chrono::seconds(10)}, TimePoint{}).allowed);
}

}  // namespace
}  // namespace mock_server::state
