#include "contract_tests/demands/drafting.hpp"

#include <gmock/gmock.h>

#include <array>
#include <random>

namespace contract_tests::demands {
namespace {

using testing::ElementsAre;

PlanShare share_of(std::size_t limit, std::size_t operation,
                   std::initializer_list<const char*> rules) {
  PlanShare share(limit, operation);
  for (const auto* rule : rules) {
    share.add(rule);
  }
  return share;
}

TEST(PlanShare, keeps_all_where_there_is_room) {
  const auto share = share_of(3, 0, {"plain", "plain", "a"});

  EXPECT_THAT(share.kept_cases(), ElementsAre(true, true, true));
  EXPECT_EQ(share.left_out(), 0U);
}

TEST(PlanShare, keeps_plain_cases_then_the_first_of_each_rule) {
  const auto share = share_of(4, 0, {"plain", "a", "a", "b", "plain"});

  EXPECT_THAT(share.kept_cases(), ElementsAre(true, true, false, true, true));
  EXPECT_EQ(share.left_out(), 1U);
}

TEST(PlanShare, begins_with_other_rules_at_each_operation) {
  EXPECT_THAT(share_of(2, 0, {"plain", "a", "b"}).kept_cases(), ElementsAre(true, true, false));
  EXPECT_THAT(share_of(2, 2, {"plain", "a", "b"}).kept_cases(), ElementsAre(true, false, true));
}

TEST(PlanShare, has_room_for_a_new_rule_but_not_for_more_of_one_than_can_stay) {
  auto share = share_of(2, 0, {"plain", "a", "b"});

  EXPECT_TRUE(share.has_room("c"));
  EXPECT_FALSE(share.has_room("a"));

  share.leave_out();
  EXPECT_EQ(share.left_out(), 2U);
}

// Whatever comes later, a case for which there was no room would not have stayed.
TEST(PlanShare, never_had_no_room_for_a_case_that_stays) {
  constexpr std::array<const char*, 5> kRules{"plain", "a", "b", "c", "d"};
  std::mt19937 random(7);
  std::size_t without_room = 0;
  for (std::size_t round = 0; round < 500; ++round) {
    PlanShare share(1 + random() % 12, round);
    std::vector<bool> had_room;
    for (std::size_t number = 0; number < 20; ++number) {
      const auto* rule = number == 0 ? "plain" : kRules[random() % kRules.size()];
      had_room.push_back(share.has_room(rule));
      share.add(rule);
    }
    const auto stays = share.kept_cases();
    for (std::size_t at = 0; at < stays.size(); ++at) {
      EXPECT_TRUE(had_room[at] || !stays[at]) << "round " << round << ", case " << at;
      without_room += had_room[at] ? 0U : 1U;
    }
  }
  EXPECT_GT(without_room, 100U);
}

}  // namespace
}  // namespace contract_tests::demands
