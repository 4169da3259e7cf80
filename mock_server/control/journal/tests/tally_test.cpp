#include "mock_server/control/journal/journal_tally.hpp"
#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <string>

namespace mock_server::control::journal {
namespace {

constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();

struct Case {
  std::string name;
  Tally tally;
  RequiredCount required;
  Verdict verdict;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class VerdictOf : public testing::TestWithParam<Case> {};

TEST_P(VerdictOf, a_partial_journal_is_inconclusive_unless_certain) {
  EXPECT_EQ(validate(GetParam().tally, GetParam().required), GetParam().verdict);
}

INSTANTIATE_TEST_SUITE_P(
    Counts, VerdictOf,
    testing::Values(
        Case{"exact", {.matched = 2}, {2, 2}, Verdict::kPass},
        Case{"too_few", {.matched = 1}, {2, 2}, Verdict::kFail},
        Case{"too_many", {.matched = 3}, {2, 2}, Verdict::kFail},
        Case{"too_many_whatever_is_lost", {.matched = 3, .lost = 9}, {0, 2}, Verdict::kFail},
        Case{"enough_whatever_is_lost", {.matched = 3, .lost = 9}, {3, kAny}, Verdict::kPass},
        Case{"perhaps_enough", {.matched = 1, .lost = 1}, {2, kAny}, Verdict::kInconclusive},
        Case{"never_enough", {.matched = 1, .lost = 1}, {3, kAny}, Verdict::kFail},
        Case{"perhaps_too_many", {.matched = 1, .lost = 2}, {0, 2}, Verdict::kInconclusive},
        Case{"none_but_lost", {.lost = 1}, {0, 0}, Verdict::kInconclusive},
        Case{"a_cut_body", {.matched = 1, .undecided = 1}, {1, 1}, Verdict::kInconclusive},
        Case{"lost_beyond_counting", {.is_partial = true}, {5, kAny}, Verdict::kInconclusive},
        Case{"any_number", {.lost = 5}, {0, kAny}, Verdict::kPass}),
    spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::control::journal
