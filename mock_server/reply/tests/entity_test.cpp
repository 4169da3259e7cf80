#include "mock_server/reply/entity.hpp"

#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace mock_server::reply {
namespace {

TEST(EntityTag, is_strong_quoted_and_differs_with_the_bytes) {
  EXPECT_EQ(make_entity_tag("abc"), make_entity_tag("abc"));
  EXPECT_NE(make_entity_tag("abc"), make_entity_tag("abd"));
  EXPECT_EQ(make_entity_tag("abc").front(), '"');
  EXPECT_EQ(make_entity_tag("abc").back(), '"');
}

TEST(EntityTag, is_found_in_lists_by_weak_comparison) {
  EXPECT_TRUE(matches_any_tag("*", "\"a\""));
  EXPECT_TRUE(matches_any_tag("\"a\"", "\"a\""));
  EXPECT_TRUE(matches_any_tag("\"x,y\" , W/\"a\"", "\"a\""));
  EXPECT_FALSE(matches_any_tag("\"b\", \"c\"", "\"a\""));
  EXPECT_FALSE(matches_any_tag("a", "\"a\""));
  EXPECT_FALSE(matches_any_tag("\"a", "\"a\""));
  EXPECT_FALSE(matches_any_tag("", "\"a\""));
}

std::string chosen(std::string_view range, std::size_t size) {
  const RangeChoice choice = choose_range(range, size);
  if (choice.kind == RangeChoice::Kind::kPart) {
    return std::to_string(choice.range.first) + '-' + std::to_string(choice.range.last);
  }
  return choice.kind == RangeChoice::Kind::kWhole ? "whole" : "unsatisfiable";
}

struct RangeCase {
  const char* name;
  const char* range;
  std::size_t size;
  const char* expected;
};

void PrintTo(const RangeCase& test, std::ostream* out) {
  *out << test.range;
}

TEST(Entity, content_range_of_a_whole_body_and_of_none) {
  EXPECT_EQ(content_range(206, 10), "bytes 0-9/10");
  EXPECT_EQ(content_range(206, 0), "");
  EXPECT_EQ(content_range(416, 10), "bytes */10");
  EXPECT_EQ(content_range(200, 10), "");
}

class Range : public testing::TestWithParam<RangeCase> {};

TEST_P(Range, is_chosen_as_in_rfc_9110) {
  EXPECT_EQ(chosen(GetParam().range, GetParam().size), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Entity, Range,
    testing::Values(RangeCase{"first_bytes", "bytes=0-3", 10, "0-3"},
                    RangeCase{"open_end", "bytes=4-", 10, "4-9"},
                    RangeCase{"suffix", "bytes=-3", 10, "7-9"},
                    RangeCase{"long_suffix", "bytes=-30", 10, "0-9"},
                    RangeCase{"beyond_the_end", "bytes=8-20", 10, "8-9"},
                    RangeCase{"last_byte", "bytes=9-9", 10, "9-9"},
                    RangeCase{"after_the_end", "bytes=10-", 10, "unsatisfiable"},
                    RangeCase{"empty_suffix", "bytes=-0", 10, "unsatisfiable"},
                    RangeCase{"empty_file", "bytes=0-", 0, "unsatisfiable"},
                    RangeCase{"huge_number", "bytes=99999999999999999999-", 10, "unsatisfiable"},
                    RangeCase{"unit_in_capitals", "BYTES=0-0", 10, "0-0"},
                    RangeCase{"several", "bytes=0-1,3-4", 10, "whole"},
                    RangeCase{"backwards", "bytes=4-2", 10, "whole"},
                    RangeCase{"other_unit", "lines=0-1", 10, "whole"},
                    RangeCase{"no_numbers", "bytes=-", 10, "whole"},
                    RangeCase{"letters", "bytes=a-b", 10, "whole"},
                    RangeCase{"signed_number", "bytes=+1-2", 10, "whole"},
                    RangeCase{"no_unit", "0-3", 10, "whole"}),
    spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::reply
