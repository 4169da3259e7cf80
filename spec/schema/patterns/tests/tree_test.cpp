#include "spec/schema/patterns/tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace spec::schema::patterns {
namespace {

struct Row {
  std::string name;
  std::string pattern;
  bool strict = false;    // whether the "u" grammar takes it
  bool tolerant = false;  // whether the tolerant one does
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.pattern;
}

class Parse : public testing::TestWithParam<Row> {};

TEST_P(Parse, accepts_what_its_grammar_has) {
  const Row& row = GetParam();

  const bool strict = parse(row.pattern, Grammar::kUnicode).has_value();
  const bool tolerant = parse(row.pattern, Grammar::kTolerant).has_value();

  EXPECT_EQ(strict, row.strict);
  EXPECT_EQ(tolerant, row.tolerant);
}

INSTANTIATE_TEST_SUITE_P(
    Grammar, Parse,
    testing::Values(
        Row{"plain", "^[a-z]+$", true, true}, Row{"escaped_hyphen", "a\\-b", false, true},
        Row{"escaped_hyphen_in_class", "[a\\-b]", true, true},
        Row{"class_escape_beside_a_hyphen", "[\\w-.]", false, true},
        Row{"bare_opening_brace", "a{b", false, true},
        Row{"bare_closing_brace", "a}b", false, true},
        Row{"bare_closing_bracket", "a]b", false, true},
        Row{"brace_without_atom", "{2}", false, false},
        Row{"end_anchor_of_others", "a\\Z", false, false}, Row{"bell", "\\a", false, false},
        Row{"octal", "\\01", false, false}, Row{"null", "\\0", true, true},
        Row{"inline_flag", "(?i)a", false, false}, Row{"python_group", "(?P<n>a)", false, false},
        Row{"comment", "(?#a)", false, false}, Row{"atomic", "(?>a)", false, false},
        Row{"possessive", "a++", false, false}, Row{"verb", "(*ACCEPT)", false, false},
        Row{"open_group", "(a", false, false}, Row{"stray_close", "a)", false, false},
        Row{"open_class", "[a", false, false},
        Row{"class_that_ends_in_a_backslash", "[\\", false, false},
        Row{"lone_backslash", "\\", false, false}, Row{"range_out_of_order", "[z-a]", false, false},
        Row{"counts_out_of_order", "a{2,1}", false, false},
        Row{"count_too_large", "a{65536}", false, false}, Row{"repeated_start", "^*", false, false},
        Row{"nothing_to_repeat", "a|*", false, false},
        Row{"group_that_is_not_there", "(a)\\2", false, false},
        Row{"name_that_is_not_there", "(?<n>a)\\k<m>", false, false},
        Row{"same_name_twice", "(?<n>a)(?<n>b)", false, false},
        Row{"unknown_property", "\\p{Nothing}", false, false},
        Row{"property_without_braces", "\\pL", false, false},
        Row{"half_a_unicode_escape", "\\u12", false, false},
        Row{"code_point_out_of_range", "\\u{110000}", false, false},
        Row{"control_without_letter", "\\c1", false, false},
        Row{"stale_capture", "(?:(a)|b)*\\1", false, false},
        Row{"stale_capture_in_its_round", "(?:(a)?\\1)*", false, false},
        Row{"fresh_capture_in_its_round", "(?:(['\"])x\\1)*", true, true},
        Row{"last_of_many", "(?:(a))*\\1", true, true},
        Row{"last_of_at_least_one", "(?:(a|b))+\\1", true, true},
        Row{"stale_capture_of_an_inner_round", "(?:x(a)*)+\\1", false, false}),
    [](const auto& row) { return row.param.name; });

TEST(Parse, says_where_the_pattern_is_wrong) {
  const auto result = parse("ab[z-a]", Grammar::kTolerant);

  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().offset, 3U);
  EXPECT_EQ(result.error().message, "must not hold a range that is out of order");
}

TEST(Parse, refuses_nesting_beyond_what_can_run) {
  const std::string deep = std::string(100'000, '(') + std::string(100'000, ')');

  EXPECT_FALSE(parse(deep).has_value());
}

}  // namespace
}  // namespace spec::schema::patterns
