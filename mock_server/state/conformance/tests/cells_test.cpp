// The duties of a session's cells and snapshots, in each store.

#include "mock_server/state/conformance/tests/state_test.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace mock_server::state::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::Key;

class StateCells : public StateTest {};

TEST_P(StateCells, reads_nothing_from_a_cell_that_was_never_set) {
  EXPECT_FALSE(session()->read("record/brands/b"));
  EXPECT_EQ(session()->read("record/brands/b").version, 0U);
  EXPECT_TRUE(session()->is_untouched());
}

TEST_P(StateCells, sets_a_cell_if_its_version_is_the_expected_one) {
  EXPECT_EQ(session()->compare_and_set("k", 0, "one"), Put::kDone);
  EXPECT_EQ(text_at(*session(), "k"), "one");
  EXPECT_EQ(session()->compare_and_set("k", session()->read("k").version, "two"), Put::kDone);
  EXPECT_EQ(text_at(*session(), "k"), "two");
  EXPECT_FALSE(session()->is_untouched());
}

TEST_P(StateCells, rejects_a_change_based_on_an_old_version) {
  set(*session(), "k", "one");
  const std::uint64_t old = session()->read("k").version;
  set(*session(), "k", "two");

  EXPECT_EQ(session()->compare_and_set("k", 0, "late"), Put::kStale);
  EXPECT_EQ(session()->compare_and_set("k", old, "late"), Put::kStale);
  EXPECT_EQ(session()->compare_and_set("k", old, std::nullopt), Put::kStale);
  EXPECT_EQ(session()->compare_and_set("other", old, "late"), Put::kStale);
  EXPECT_EQ(text_at(*session(), "k"), "two");
}

TEST_P(StateCells, removes_a_cell_that_gets_no_text) {
  set(*session(), "k", "one");

  EXPECT_EQ(session()->compare_and_set("k", session()->read("k").version, std::nullopt),
            Put::kDone);
  EXPECT_EQ(session()->read("k").version, 0U);
  EXPECT_TRUE(session()->is_untouched());
}

TEST_P(StateCells, keeps_any_bytes) {
  const std::string every = std::string("\0\r\n\"' \xFF\xC3\xA4", 9) + std::string(70'000, 'x');
  set(*session(), "record/a/ke\xC3\xBF y:{}*?", every);
  set(*session(), "record/a/empty", "");

  EXPECT_EQ(text_at(*session(), "record/a/ke\xC3\xBF y:{}*?"), every);
  EXPECT_TRUE(session()->read("record/a/empty"));
  EXPECT_EQ(text_at(*session(), "record/a/empty"), "");
}

TEST_P(StateCells, lists_cells_by_name_and_by_how_their_names_begin) {
  for (const char* const key : {"record/b/1", "record/a/2", "record/a/1", "seed"}) {
    set(*session(), key, key);
  }

  EXPECT_THAT(session()->cells(),
              ElementsAre(Key("record/a/1"), Key("record/a/2"), Key("record/b/1"), Key("seed")));
  EXPECT_THAT(session()->cells("record/a/"), ElementsAre(Key("record/a/1"), Key("record/a/2")));
  EXPECT_THAT(session()->cells("record/c/"), ElementsAre());
  EXPECT_EQ(session()->cell_count(), 4U);
}

TEST_P(StateCells, never_gives_a_version_twice) {
  std::set<std::uint64_t> versions;
  const auto note = [&] { EXPECT_TRUE(versions.insert(session()->read("k").version).second); };
  for (int round = 0; round < 3; ++round) {
    set(*session(), "k", "one");
    note();
    session()->take_snapshot("s");
    session()->compare_and_set("k", session()->read("k").version, std::nullopt);
    set(*session(), "k", "two");
    note();
    session()->restore_snapshot("s");
    note();
    session()->replace({});
    reopen();
  }
}

TEST_P(StateCells, a_version_from_before_a_reset_or_a_replacement_is_stale) {
  set(*session(), "k", "one");
  const std::uint64_t old = session()->read("k").version;
  const Cells cells = session()->cells();
  session()->replace({});
  set(*session(), "k", "again");
  EXPECT_EQ(session()->compare_and_set("k", old, "late"), Put::kStale);

  const std::uint64_t second = session()->read("k").version;
  EXPECT_EQ(session()->replace(cells), Put::kDone);
  EXPECT_EQ(session()->compare_and_set("k", second, "late"), Put::kStale);
  EXPECT_EQ(session()->compare_and_set("k", old, "late"), Put::kStale);
  EXPECT_EQ(text_at(*session(), "k"), "one");
}

TEST_P(StateCells, a_change_without_room_changes_nothing_and_removal_makes_room) {
  open({.bytes = 1'000});
  set(*session(), "k", std::string(600, 'x'));

  EXPECT_EQ(set(*session(), "l", std::string(600, 'x')), Put::kFull);
  EXPECT_EQ(set(*session(), "k", std::string(2'000, 'y')), Put::kFull);
  EXPECT_FALSE(session()->read("l"));
  EXPECT_EQ(text_at(*session(), "k"), std::string(600, 'x'));
  session()->compare_and_set("k", session()->read("k").version, std::nullopt);
  EXPECT_EQ(set(*session(), "l", std::string(600, 'x')), Put::kDone);
}

TEST_P(StateCells, a_replacement_without_room_changes_nothing) {
  open({.bytes = 1'000});
  set(*session(), "k", "one");
  Cells large;
  large["l"].text = std::make_shared<const std::string>(2'000, 'x');

  EXPECT_EQ(session()->replace(large), Put::kFull);
  EXPECT_EQ(text_at(*session(), "k"), "one");
  EXPECT_FALSE(session()->read("l"));
}

TEST_P(StateCells, expired_cells_go_by_the_sessions_clock_once_there_are_many) {
  const auto text = std::make_shared<const std::string>("x");
  Cells cells;
  cells[std::string(Session::kClockCell)].text =
      std::make_shared<const std::string>(ClockSetting{}.advanced(std::chrono::seconds(5)).text());
  cells["short"] = {0, text, now_ + std::chrono::seconds(5)};
  cells["long"] = {0, text, now_ + std::chrono::seconds(50)};
  for (int more = 3; more < 4'096; ++more) {
    cells["always/" + std::to_string(more)].text = text;
  }
  ASSERT_EQ(session()->replace(cells), Put::kDone);

  set(*session(), "new", "x");

  EXPECT_FALSE(session()->read("short"));
  EXPECT_EQ(session()->read("long").expires, now_ + std::chrono::seconds(50));
  EXPECT_EQ(session()->cell_count(), 4'096U);
}

TEST_P(StateCells, a_clock_is_kept_and_taken_back) {
  const TimePoint then{std::chrono::seconds(5)};
  EXPECT_EQ(session()->set_clock(0, ClockSetting::set(then, true, now_)), Put::kDone);
  EXPECT_EQ(session()->now(), then);
  EXPECT_EQ(session()->set_clock(0, ClockSetting{}), Put::kStale);

  EXPECT_EQ(session()->set_clock(session()->read(Session::kClockCell).version, ClockSetting{}),
            Put::kDone);
  EXPECT_EQ(session()->now(), now_);
}

TEST_P(StateCells, a_reset_removes_everything_but_snapshots) {
  set(*session(), "k", "one");
  session()->set_clock(0, ClockSetting::set(TimePoint(std::chrono::seconds(5)), true, now_));
  session()->take_snapshot("before");
  session()->replace({});

  EXPECT_TRUE(session()->is_untouched());
  EXPECT_EQ(session()->now(), now_);
  EXPECT_THAT(session()->snapshots(), ElementsAre("before"));
}

TEST_P(StateCells, a_snapshot_brings_back_what_was) {
  set(*session(), "k", "one");
  EXPECT_EQ(session()->take_snapshot("before"), Put::kDone);
  const std::uint64_t one = session()->read("k").version;
  set(*session(), "k", "two");
  set(*session(), "l", "new");

  EXPECT_EQ(session()->restore_snapshot("before"), Put::kDone);
  EXPECT_EQ(text_at(*session(), "k"), "one");
  EXPECT_FALSE(session()->read("l"));
  EXPECT_EQ(session()->compare_and_set("k", one, "late"), Put::kStale);
  EXPECT_EQ(session()->restore_snapshot("nowhere"), std::nullopt);
}

TEST_P(StateCells, a_snapshot_is_made_anew_and_dropped) {
  set(*session(), "k", "one");
  session()->take_snapshot("b");
  session()->take_snapshot("a");
  set(*session(), "k", "two");
  EXPECT_EQ(session()->take_snapshot("b"), Put::kDone);
  set(*session(), "k", "three");

  EXPECT_THAT(session()->snapshots(), ElementsAre("a", "b"));
  session()->restore_snapshot("b");
  EXPECT_EQ(text_at(*session(), "k"), "two");
  EXPECT_TRUE(session()->drop_snapshot("a"));
  EXPECT_FALSE(session()->drop_snapshot("a"));
  EXPECT_THAT(session()->snapshots(), ElementsAre("b"));
}

TEST_P(StateCells, so_many_snapshots_and_no_more) {
  for (std::size_t at = 0; at < Session::kMaxSnapshots; ++at) {
    ASSERT_EQ(session()->take_snapshot("s" + std::to_string(at)), Put::kDone);
  }

  EXPECT_EQ(session()->take_snapshot("one_more"), Put::kFull);
  EXPECT_EQ(session()->take_snapshot("s0"), Put::kDone);
}

TEST_P(StateCells, one_of_many_simultaneous_changes_takes_a_step) {
  const auto shared = session();
  std::atomic<int> winners{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back(
          [&] { winners += shared->compare_and_set("step", 0, "1") == Put::kDone ? 1 : 0; });
    }
  }

  EXPECT_EQ(winners, 1);
}

TEST_P(StateCells, no_change_of_many_threads_is_lost_or_doubled) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 50;
  const auto count_up = [this] {
    for (int done = 0; done < kRounds;) {
      const auto own = session();
      const Cell cell = own->read("count");
      const int next = cell ? std::stoi(*cell.text) + 1 : 1;
      done += own->compare_and_set("count", cell.version, std::to_string(next)) == Put::kDone;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back(count_up);
    }
  }

  reopen();  // memory goes on
  EXPECT_EQ(text_at(*session(), "count"), std::to_string(kThreads * kRounds));
}

INSTANTIATE_TEST_SUITE_P(Each, StateCells, ::testing::ValuesIn(state_kinds()),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::state::conformance
