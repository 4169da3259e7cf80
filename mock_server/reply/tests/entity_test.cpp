#include "mock_server/reply/entity.hpp"

#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mock_server::reply {
namespace {

TEST(EntityTag, is_strong_quoted_and_differs_with_the_bytes) {
  EXPECT_EQ(make_entity_tag("abc"), make_entity_tag("abc"));
  EXPECT_NE(make_entity_tag("abc"), make_entity_tag("abd"));
  EXPECT_EQ(make_entity_tag("abc").front(), '"');
  EXPECT_EQ(make_entity_tag("abc").back(), '"');
}

bool matches(std::string_view tags, TagComparison comparison = TagComparison::kWeak) {
  return matches_any_tag(tags, "\"a\"", comparison);
}

TEST(EntityTag, is_found_in_lists_by_weak_comparison) {
  EXPECT_TRUE(matches("*"));
  EXPECT_TRUE(matches("\"a\""));
  EXPECT_TRUE(matches("\"x,y\" , W/\"a\""));
  EXPECT_TRUE(matches(", \"b\",, \"a\""));
  EXPECT_FALSE(matches("\"b\", \"c\""));
  EXPECT_FALSE(matches("a"));
  EXPECT_FALSE(matches("\"a"));
  EXPECT_FALSE(matches(""));
  EXPECT_FALSE(matches(" ,, "));
}

TEST(EntityTag, is_found_in_lists_by_strong_comparison) {
  EXPECT_TRUE(matches("*", TagComparison::kStrong));
  EXPECT_TRUE(matches("W/\"a\", \"a\"", TagComparison::kStrong));
  EXPECT_FALSE(matches("W/\"a\"", TagComparison::kStrong));
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

TEST(Entity, content_range_of_a_whole_body_and_of_none) {
  EXPECT_EQ(content_range(206, 10), "bytes 0-9/10");
  EXPECT_EQ(content_range(206, 0), "");
  EXPECT_EQ(content_range(416, 10), "bytes */10");
  EXPECT_EQ(content_range(200, 10), "");
}

using Range = spec::tests::RowTest;

TEST_P(Range, is_chosen_as_in_rfc_9110) {
  const RangeCase& row = GetParam();

  EXPECT_EQ(chosen(row.range, row.size), row.expected);
}

const std::vector<RangeCase> kEntityRange = {
    {"first_bytes", "bytes=0-3", 10, "0-3"},
    {"open_end", "bytes=4-", 10, "4-9"},
    {"suffix", "bytes=-3", 10, "7-9"},
    {"long_suffix", "bytes=-30", 10, "0-9"},
    {"beyond_the_end", "bytes=8-20", 10, "8-9"},
    {"last_byte", "bytes=9-9", 10, "9-9"},
    {"after_the_end", "bytes=10-", 10, "unsatisfiable"},
    {"empty_suffix", "bytes=-0", 10, "unsatisfiable"},
    {"empty_file", "bytes=0-", 0, "unsatisfiable"},
    {"huge_number", "bytes=99999999999999999999-", 10, "unsatisfiable"},
    {"unit_in_capitals", "BYTES=0-0", 10, "0-0"},
    {"several", "bytes=0-1,3-4", 10, "whole"},
    {"backwards", "bytes=4-2", 10, "whole"},
    {"other_unit", "lines=0-1", 10, "whole"},
    {"no_numbers", "bytes=-", 10, "whole"},
    {"letters", "bytes=a-b", 10, "whole"},
    {"signed_number", "bytes=+1-2", 10, "whole"},
    {"no_unit", "0-3", 10, "whole"}};

INSTANTIATE_TEST_SUITE_P(Entity, Range, testing::ValuesIn(spec::tests::rows(kEntityRange)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace mock_server::reply
