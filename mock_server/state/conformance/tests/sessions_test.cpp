// The duties of the sessions of a store, in each store.

#include "mock_server/state/conformance/tests/state_test.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace mock_server::state::conformance {
namespace {

using ::testing::ElementsAre;

class StateSessions : public StateTest {
 protected:
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const SessionSummary& summary : store().list()) {
      all.push_back(summary.name);
    }
    return all;
  }

  static std::string armed(const Session& session) {
    const Cell cell = session.read(kArmedCell);
    std::string all;
    for (const ArmedScenario& one : cell ? read_armed(*cell.text) : std::vector<ArmedScenario>{}) {
      all += one.name + ' ';
    }
    return all;
  }
};

TEST_P(StateSessions, are_the_same_for_the_same_name) {
  set(*session("a"), "k", "one");

  EXPECT_EQ(text_at(*session("a"), "k"), "one");
  EXPECT_EQ(session("a")->serial(), session("a")->serial());
  EXPECT_NE(session("a")->serial(), session("b")->serial());
  EXPECT_FALSE(session("b")->read("k"));
  EXPECT_EQ(session("")->serial(), 0U);
}

TEST_P(StateSessions, are_listed_by_name_the_default_session_first) {
  set(*session("b"), "k", "one");
  session("a");

  EXPECT_THAT(names(), ElementsAre("", "a", "b"));
  EXPECT_EQ(store().list().back().cells, 1U);
  EXPECT_EQ(store().list().back().serial, session("b")->serial());
  EXPECT_EQ(store().size(), 3U);
  EXPECT_EQ(store().sessions().size(), 3U);
}

TEST_P(StateSessions, are_not_made_by_looking_for_them) {
  EXPECT_EQ(store().find("a"), nullptr);
  EXPECT_EQ(store().size(), 1U);
  EXPECT_NE(store().find(""), nullptr);
}

TEST_P(StateSessions, come_back_empty_and_with_another_serial_after_they_were_deleted) {
  const std::uint64_t serial = session("a")->serial();
  set(*session("a"), "k", "one");
  session("a")->take_snapshot("s");

  EXPECT_TRUE(store().remove("a"));
  EXPECT_FALSE(store().remove("a"));
  EXPECT_FALSE(session("a")->read("k"));
  EXPECT_THAT(session("a")->snapshots(), ElementsAre());
  EXPECT_NE(session("a")->serial(), serial);
}

TEST_P(StateSessions, never_have_a_serial_twice) {
  std::set<std::uint64_t> serials;
  for (int round = 0; round < 4; ++round) {
    EXPECT_TRUE(serials.insert(session("a")->serial()).second);
    store().remove("a");
    reopen();
  }
}

TEST_P(StateSessions, deleting_the_default_session_resets_it) {
  set(*session(""), "k", "one");

  EXPECT_TRUE(store().remove(""));
  EXPECT_FALSE(session("")->read("k"));
}

TEST_P(StateSessions, have_what_is_armed_for_all_when_they_are_new_or_reset) {
  session("before");
  store().arm_for_all("slow");
  store().arm_for_all("outage");
  store().arm_for_all("slow");

  EXPECT_THAT(store().armed_for_all(), ElementsAre("outage", "slow"));
  EXPECT_EQ(armed(*session("before")), "");
  EXPECT_EQ(armed(*session("new")), "outage slow ");
  EXPECT_EQ(store().reset(*session("before")), Put::kDone);
  EXPECT_EQ(armed(*session("before")), "outage slow ");
  EXPECT_TRUE(store().remove(""));
  EXPECT_EQ(armed(*session("")), "outage slow ");
}

TEST_P(StateSessions, do_not_have_what_is_disarmed_for_all) {
  store().arm_for_all("slow");
  store().disarm_for_all("slow");

  EXPECT_THAT(store().armed_for_all(), ElementsAre());
  EXPECT_TRUE(session("new")->is_untouched());
}

TEST_P(StateSessions, a_fork_has_the_cells_of_its_source_alone_and_is_independent) {
  set(*session("from"), "k", "one");
  session("from")->take_snapshot("s");
  store().arm_for_all("slow");

  EXPECT_EQ(store().fork(*session("from"), "to"), Fork::kDone);
  set(*session("from"), "k", "two");

  EXPECT_EQ(text_at(*session("to"), "k"), "one");
  EXPECT_EQ(armed(*session("to")), "");
  EXPECT_THAT(session("to")->snapshots(), ElementsAre());
  EXPECT_EQ(store().fork(*session("from"), "to"), Fork::kTaken);
}

TEST_P(StateSessions, the_one_that_was_idle_longest_goes_when_there_are_too_many) {
  open({.sessions = 2});
  for (const char* const name : {"a", "b", "a", "c"}) {
    session(name);
    now_ += std::chrono::seconds(1);
  }

  EXPECT_THAT(names(), ElementsAre("", "a", "c"));
  EXPECT_EQ(store().size(), 3U);
}

TEST_P(StateSessions, go_when_they_were_idle_for_their_time) {
  open({.idle = std::chrono::seconds(60)});
  session("old");
  now_ += std::chrono::seconds(40);
  session("young");
  set(*session(""), "k", "one");
  now_ += std::chrono::seconds(40);

  EXPECT_THAT(names(), ElementsAre("", "young"));
  EXPECT_EQ(store().find("old"), nullptr);
  now_ += std::chrono::seconds(100);
  EXPECT_EQ(text_at(*session(""), "k"), "one");
}

TEST_P(StateSessions, many_threads_make_and_delete_them) {
  const auto come_and_go = [this](int thread) {
    for (int round = 0; round < 20; ++round) {
      const std::string own = "own" + std::to_string(thread);
      set(*session(own), "k", std::to_string(round));
      set(*session("shared"), own, std::to_string(round));
      EXPECT_EQ(text_at(*session(own), "k"), std::to_string(round));
      EXPECT_TRUE(store().remove(own));
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back(come_and_go, thread);
    }
  }

  EXPECT_THAT(names(), ElementsAre("", "shared"));
  EXPECT_EQ(session("shared")->cell_count(), 4U);
}

TEST_P(StateSessions, one_limit_is_counted_together) {
  const auto shared = session("shared");
  std::atomic<int> allowed{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int call = 0; call < 10; ++call) {
          allowed += take_rate(*shared, "all", {25, std::chrono::seconds(60)}).allowed ? 1 : 0;
        }
      });
    }
  }

  EXPECT_EQ(allowed, 25);
}

class KeptSessions : public StateSessions {};

TEST_P(KeptSessions, go_on_with_everything_when_they_are_opened_again) {
  const std::uint64_t serial = session("a")->serial();
  set(*session("a"), "k", "one");
  session("a")->take_snapshot("before");
  set(*session("a"), "k", "two");
  set(*session("a"), "gone", "x");
  session("a")->compare_and_set("gone", session("a")->read("gone").version, std::nullopt);
  session("a")->set_clock(0, ClockSetting::set(TimePoint(std::chrono::seconds(5)), true, now_));
  const RateLimit limit{3, std::chrono::seconds(60)};
  take_rate(*session("a"), "all", limit);
  set(*session(""), "d", "default's");
  set(*session("removed"), "k", "x");
  store().remove("removed");
  store().arm_for_all("slow");
  const std::uint64_t version = session("a")->read("k").version;

  reopen();

  EXPECT_EQ(session("a")->serial(), serial);
  EXPECT_EQ(text_at(*session("a"), "k"), "two");
  EXPECT_EQ(session("a")->read("k").version, version);
  EXPECT_FALSE(session("a")->read("gone"));
  EXPECT_EQ(session("a")->now(), TimePoint(std::chrono::seconds(5)));
  EXPECT_EQ(take_rate(*session("a"), "all", limit).remaining, 1U);
  EXPECT_EQ(text_at(*session(""), "d"), "default's");
  EXPECT_EQ(store().find("removed"), nullptr);
  EXPECT_THAT(store().armed_for_all(), ElementsAre("slow"));
  session("a")->restore_snapshot("before");
  EXPECT_EQ(text_at(*session("a"), "k"), "one");
}

TEST_P(KeptSessions, have_no_snapshots_of_a_deleted_one_of_their_name) {
  session("a")->take_snapshot("old");
  store().remove("a");
  set(*session("a"), "k", "new");

  reopen();

  EXPECT_THAT(session("a")->snapshots(), ElementsAre());
  EXPECT_EQ(text_at(*session("a"), "k"), "new");
}

INSTANTIATE_TEST_SUITE_P(Each, StateSessions, ::testing::ValuesIn(state_kinds()),
                         spec::tests::kRowNames);
INSTANTIATE_TEST_SUITE_P(Each, KeptSessions, ::testing::ValuesIn(kept_kinds()),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::state::conformance
