#include "mock_server/state/session_store.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace mock_server::state {
namespace {

TEST(Session, a_snapshot_without_room_is_not_taken_and_a_reset_frees_every_byte) {
  const auto budget = std::make_shared<Budget>();
  budget->limit = 1000;
  Session session("s", 1, system_now, budget);
  session.compare_and_set("k", 0, std::string(600, 'x'));

  EXPECT_EQ(session.take_snapshot("s"), Put::kFull);
  session.replace({});
  EXPECT_EQ(budget->used, 0U);
}

TEST(Session, frees_its_bytes_when_it_ends) {
  const auto budget = std::make_shared<Budget>();
  {
    Session session("s", 1, system_now, budget);
    session.compare_and_set("k", 0, "text");
    session.take_snapshot("s");
    EXPECT_GT(budget->used, 0U);
  }

  EXPECT_EQ(budget->used, 0U);
}

}  // namespace
}  // namespace mock_server::state
