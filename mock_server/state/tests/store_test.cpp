#include "mock_server/state/session_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

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

TEST(Store, lists_every_session_as_such) {
  Store store;
  const auto one = store.session("one");

  EXPECT_THAT(store.sessions(), ElementsAre(store.session(""), one));
}

TEST(Store, deletes_idle_sessions_above_the_limit_of_bytes) {
  Store store(system_now, {.bytes = 1000});
  store.session("a")->compare_and_set("k", 0, std::string(800, 'x'));
  store.session("b");

  EXPECT_THAT(names(store), ElementsAre("", "b"));
  EXPECT_EQ(store.used_bytes(), 0U);
}

TEST(Store, has_no_session_of_a_fork_without_room) {
  Store store(system_now, {.bytes = 1000});
  const auto from = store.session("from");
  from->compare_and_set("k", 0, std::string(600, 'x'));
  const std::size_t before = store.used_bytes();

  EXPECT_EQ(store.fork(*from, "to"), Fork::kFull);

  EXPECT_THAT(names(store), ElementsAre("", "from"));
  EXPECT_EQ(store.used_bytes(), before);
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
