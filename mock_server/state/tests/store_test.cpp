#include "mock_server/state/store.hpp"

#include "mock_server/state/scenario_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mock_server::state {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names(Store& store) {
  std::vector<std::string> names;
  for (const SessionSummary& summary : store.list()) {
    names.push_back(summary.name);
  }
  return names;
}

TEST(Store, gives_the_same_session_for_the_same_name) {
  Store store;

  EXPECT_EQ(store.session("a"), store.session("a"));
  EXPECT_NE(store.session("a"), store.session("b"));
  EXPECT_EQ(store.session(""), store.session(""));
}

TEST(Store, lists_the_default_session_first) {
  Store store;
  store.session("b");
  store.session("a");

  EXPECT_THAT(names(store), ElementsAre("", "a", "b"));
}

TEST(Store, finding_a_session_does_not_create_it) {
  Store store;

  EXPECT_EQ(store.find("a"), nullptr);
  EXPECT_EQ(store.size(), 1U);
}

TEST(Store, a_deleted_session_comes_back_empty_and_with_another_serial) {
  Store store;
  const auto before = store.session("a");
  before->compare_and_set("k", 0, "one");

  EXPECT_TRUE(store.remove("a"));
  EXPECT_FALSE(store.remove("a"));
  EXPECT_FALSE(store.session("a")->read("k"));
  EXPECT_NE(store.session("a")->serial(), before->serial());
}

std::string armed(const Session& session) {
  const Cell cell = session.read(kArmedCell);
  std::string names;
  for (const Armed& one : cell ? read_armed(*cell.text) : std::vector<Armed>{}) {
    names += one.name + ' ';
  }
  return names;
}

TEST(Store, a_new_session_and_one_that_is_reset_have_what_is_armed_for_all) {
  Store store;
  const auto before = store.session("before");
  store.arm_for_all("slow");
  store.arm_for_all("outage");
  store.arm_for_all("slow");

  EXPECT_EQ(armed(*before), "");
  EXPECT_EQ(armed(*store.session("new")), "outage slow ");
  EXPECT_EQ(store.reset(*before), Put::kDone);
  EXPECT_EQ(armed(*before), "outage slow ");
  EXPECT_TRUE(store.remove(""));
  EXPECT_EQ(armed(*store.session("")), "outage slow ");
}

TEST(Store, what_is_disarmed_for_all_is_not_armed_in_a_new_session) {
  Store store;
  store.arm_for_all("slow");
  store.disarm_for_all("slow");

  EXPECT_THAT(store.armed_for_all(), ElementsAre());
  EXPECT_TRUE(store.session("new")->is_untouched());
}

TEST(Store, a_fork_has_what_is_armed_in_its_original_alone) {
  Store store;
  const auto plain = store.session("plain");
  store.arm_for_all("slow");

  EXPECT_EQ(store.fork(*plain, "fork"), Fork::kDone);
  EXPECT_EQ(armed(*store.session("fork")), "");
}

TEST(Store, lists_every_session_as_such) {
  Store store;
  const auto one = store.session("one");

  EXPECT_THAT(store.sessions(), ElementsAre(store.session(""), one));
}

TEST(Store, deleting_the_default_session_resets_it) {
  Store store;
  store.session("")->compare_and_set("k", 0, "one");

  EXPECT_TRUE(store.remove(""));
  EXPECT_FALSE(store.session("")->read("k"));
}

TEST(Store, deletes_the_session_that_was_idle_longest_above_the_limit) {
  Store store(system_now, {.sessions = 2});
  store.session("a");
  store.session("b");
  store.session("a");
  store.session("c");

  EXPECT_THAT(names(store), ElementsAre("", "a", "c"));
}

TEST(Store, deletes_an_idle_session_after_its_time) {
  TimePoint now(std::chrono::seconds(100));
  Store store([&] { return now; }, {.idle = std::chrono::seconds(60)});
  store.session("old");
  now += std::chrono::seconds(40);
  store.session("young");
  now += std::chrono::seconds(40);

  EXPECT_THAT(names(store), ElementsAre("", "young"));
}

TEST(Store, a_fork_has_the_cells_of_its_source_and_is_independent) {
  Store store;
  const auto from = store.session("from");
  from->compare_and_set("k", 0, "one");

  EXPECT_EQ(store.fork(*from, "to"), Fork::kDone);
  from->compare_and_set("k", from->read("k").version, "two");

  EXPECT_EQ(*store.session("to")->read("k").text, "one");
  EXPECT_EQ(store.fork(*from, "to"), Fork::kTaken);
}

TEST(Store, deletes_idle_sessions_above_the_limit_of_bytes) {
  Store store(system_now, {.bytes = 1000});
  store.session("a")->compare_and_set("k", 0, std::string(800, 'x'));
  store.session("b");

  EXPECT_THAT(names(store), ElementsAre("", "b"));
  EXPECT_EQ(store.used_bytes(), 0U);
}

TEST(Store, knows_which_names_are_valid) {
  EXPECT_TRUE(is_session_name("a"));
  EXPECT_TRUE(is_session_name("ci-42_x.y"));
  EXPECT_TRUE(is_session_name(std::string(64, 'a')));
  EXPECT_FALSE(is_session_name(""));
  EXPECT_FALSE(is_session_name(std::string(65, 'a')));
  EXPECT_FALSE(is_session_name("a/b"));
  EXPECT_FALSE(is_session_name("a b"));
  EXPECT_FALSE(is_session_name("\xc3\xa4"));
}

}  // namespace
}  // namespace mock_server::state
