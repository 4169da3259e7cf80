#include "mock_server/control/journal/journal_tally.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace mock_server::control::journal {
namespace {

constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();

struct Case {
  std::string name;
  Tally tally;
  RequiredCount required;
  Verdict verdict;
};

using VerdictOf = spec::tests::RowTest;

TEST_P(VerdictOf, a_partial_journal_is_inconclusive_unless_certain) {
  const Case& row = GetParam();

  EXPECT_EQ(validate(row.tally, row.required), row.verdict);
}

const std::vector<Case> kCountsVerdictOf = {
    {"exact", {.matched = 2}, {2, 2}, Verdict::kPass},
    {"too_few", {.matched = 1}, {2, 2}, Verdict::kFail},
    {"too_many", {.matched = 3}, {2, 2}, Verdict::kFail},
    {"too_many_whatever_is_lost", {.matched = 3, .lost = 9}, {0, 2}, Verdict::kFail},
    {"enough_whatever_is_lost", {.matched = 3, .lost = 9}, {3, kAny}, Verdict::kPass},
    {"perhaps_enough", {.matched = 1, .lost = 1}, {2, kAny}, Verdict::kInconclusive},
    {"never_enough", {.matched = 1, .lost = 1}, {3, kAny}, Verdict::kFail},
    {"perhaps_too_many", {.matched = 1, .lost = 2}, {0, 2}, Verdict::kInconclusive},
    {"none_but_lost", {.lost = 1}, {0, 0}, Verdict::kInconclusive},
    {"a_cut_body", {.matched = 1, .undecided = 1}, {1, 1}, Verdict::kInconclusive},
    {"lost_beyond_counting", {.is_partial = true}, {5, kAny}, Verdict::kInconclusive},
    {"any_number", {.lost = 5}, {0, kAny}, Verdict::kPass}};

INSTANTIATE_TEST_SUITE_P(Counts, VerdictOf, testing::ValuesIn(spec::tests::rows(kCountsVerdictOf)),
                         spec::tests::kRowNames);

TEST(RequiredCount, is_named_as_it_was_asked_for) {
  EXPECT_EQ((RequiredCount{0, 0}).words(), "at most 0");
  EXPECT_EQ((RequiredCount{0, 0, true}).words(), "exactly 0");
  EXPECT_EQ((RequiredCount{2, 2}).words(), "exactly 2");
  EXPECT_EQ((RequiredCount{1, 3}).words(), "at least 1 and at most 3");
}

}  // namespace
}  // namespace mock_server::control::journal
