#include "mock_server/state/session.hpp"

#include "mock_server/state/tests/other_state.hpp"
#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <thread>
#include <vector>

namespace mock_server::state {
namespace {

// A way to keep cells.
struct Keeping {
  const char* name = "";
  OpenCells open;
};

void PrintTo(const Keeping& one, std::ostream* out) {
  *out << one.name;
}

class SessionOn : public ::testing::TestWithParam<Keeping> {};

TEST_P(SessionOn, reads_nothing_from_a_cell_that_was_never_set) {
  const Session session("s", 1, system_now, nullptr, GetParam().open);

  EXPECT_FALSE(session.read("record/brands/b"));
  EXPECT_TRUE(session.is_untouched());
}

TEST_P(SessionOn, sets_a_cell_when_the_version_still_fits) {
  Session session("s", 1, system_now, nullptr, GetParam().open);

  EXPECT_EQ(session.compare_and_set("k", 0, "one"), Put::kDone);
  EXPECT_EQ(*session.read("k").text, "one");
  EXPECT_FALSE(session.is_untouched());
}

TEST_P(SessionOn, rejects_a_change_based_on_an_old_version) {
  Session session("s", 1, system_now, nullptr, GetParam().open);
  session.compare_and_set("k", 0, "one");

  EXPECT_EQ(session.compare_and_set("k", 0, "two"), Put::kStale);
  EXPECT_EQ(*session.read("k").text, "one");
}

TEST_P(SessionOn, a_version_from_before_a_reset_is_stale) {
  Session session("s", 1, system_now, nullptr, GetParam().open);
  session.compare_and_set("k", 0, "one");
  const std::uint64_t old = session.read("k").version;
  session.reset();
  session.compare_and_set("k", 0, "again");

  EXPECT_EQ(session.compare_and_set("k", old, "late"), Put::kStale);
  EXPECT_EQ(*session.read("k").text, "again");
}

TEST_P(SessionOn, exactly_one_of_many_simultaneous_changes_takes_a_step) {
  Session session("s", 1, system_now, nullptr, GetParam().open);
  std::atomic<int> winners{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back(
          [&] { winners += session.compare_and_set("step", 0, "1") == Put::kDone ? 1 : 0; });
    }
  }

  EXPECT_EQ(winners, 1);
}

TEST_P(SessionOn, a_cell_without_text_is_removed) {
  Session session("s", 1, system_now, nullptr, GetParam().open);
  session.compare_and_set("k", 0, "one");

  EXPECT_EQ(session.compare_and_set("k", session.read("k").version, std::nullopt), Put::kDone);
  EXPECT_TRUE(session.is_untouched());
}

TEST_P(SessionOn, a_reset_removes_everything_but_snapshots) {
  Session session(
      "s", 1, [] { return TimePoint(std::chrono::seconds(100)); }, nullptr, GetParam().open);
  session.compare_and_set("k", 0, "one");
  session.set_clock(0, ClockSetting::set(TimePoint(std::chrono::seconds(5)), true, {}));
  session.take_snapshot("before");
  session.reset();

  EXPECT_TRUE(session.is_untouched());
  EXPECT_EQ(session.now(), TimePoint(std::chrono::seconds(100)));
  EXPECT_EQ(session.snapshots(), std::vector<std::string>{"before"});
}

TEST_P(SessionOn, restoring_a_snapshot_restores_its_cells_and_makes_old_versions_stale) {
  Session session("s", 1, system_now, nullptr, GetParam().open);
  session.compare_and_set("k", 0, "one");
  session.take_snapshot("before");
  const std::uint64_t one = session.read("k").version;
  session.compare_and_set("k", one, "two");

  EXPECT_EQ(session.restore_snapshot("before"), Put::kDone);
  EXPECT_EQ(*session.read("k").text, "one");
  EXPECT_EQ(session.compare_and_set("k", one, "late"), Put::kStale);
  EXPECT_EQ(session.restore_snapshot("nowhere"), std::nullopt);
}

TEST_P(SessionOn, expired_cells_go_by_the_sessions_clock) {
  TimePoint now(std::chrono::seconds(100));
  Session session(
      "s", 1, [&] { return now; }, nullptr, GetParam().open);
  session.compare_and_set("short", 0, "x", now + std::chrono::seconds(5));
  session.compare_and_set("long", 0, "x");
  session.set_clock(0, ClockSetting{}.advanced(std::chrono::seconds(5)));
  session.expire();

  EXPECT_FALSE(session.read("short"));
  EXPECT_TRUE(session.read("long"));
}

TEST_P(SessionOn, a_change_beyond_the_budget_changes_nothing_and_removal_makes_room) {
  const auto budget = std::make_shared<Budget>();
  budget->limit = 1000;
  Session session("s", 1, system_now, budget, GetParam().open);
  session.compare_and_set("k", 0, std::string(600, 'x'));

  EXPECT_EQ(session.compare_and_set("l", 0, std::string(600, 'x')), Put::kFull);
  EXPECT_FALSE(session.read("l"));
  EXPECT_EQ(session.take_snapshot("s"), Put::kFull);
  session.reset();
  EXPECT_EQ(budget->used, 0U);
  EXPECT_EQ(session.compare_and_set("l", 0, std::string(600, 'x')), Put::kDone);
}

TEST_P(SessionOn, frees_its_bytes_when_it_ends) {
  const auto budget = std::make_shared<Budget>();
  {
    Session session("s", 1, system_now, budget, GetParam().open);
    session.compare_and_set("k", 0, "text");
    session.take_snapshot("s");
    EXPECT_GT(budget->used, 0U);
  }

  EXPECT_EQ(budget->used, 0U);
}

INSTANTIATE_TEST_SUITE_P(Cells, SessionOn,
                         ::testing::Values(Keeping{"memory", open_in_memory},
                                           Keeping{"text", testing::open_as_text}),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::state
