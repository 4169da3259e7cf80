#include "spec/schema/patterns/tree.hpp"

#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace spec::schema::patterns {
namespace {

struct TreeRow {
  std::string name;
  std::string pattern;
  bool strict = false;    // whether the "u" grammar takes it
  bool tolerant = false;  // whether the tolerant one does
};

void PrintTo(const TreeRow& row, std::ostream* out) {
  *out << row.pattern;
}

class Parse : public testing::TestWithParam<TreeRow> {};

TEST_P(Parse, accepts_what_its_grammar_has) {
  const TreeRow& row = GetParam();

  const bool strict = parse(row.pattern, Grammar::kUnicode).has_value();
  const bool tolerant = parse(row.pattern, Grammar::kTolerant).has_value();

  EXPECT_EQ(strict, row.strict);
  EXPECT_EQ(tolerant, row.tolerant);
}

INSTANTIATE_TEST_SUITE_P(
    Grammar, Parse,
    testing::Values(
        TreeRow{"plain", "^[a-z]+$", true, true}, TreeRow{"escaped_hyphen", "a\\-b", false, true},
        TreeRow{"escaped_hyphen_in_class", "[a\\-b]", true, true},
        TreeRow{"class_escape_beside_a_hyphen", "[\\w-.]", false, true},
        TreeRow{"bare_opening_brace", "a{b", false, true},
        TreeRow{"bare_closing_brace", "a}b", false, true},
        TreeRow{"bare_closing_bracket", "a]b", false, true},
        TreeRow{"brace_without_atom", "{2}", false, false},
        TreeRow{"end_anchor_of_others", "a\\Z", false, false}, TreeRow{"bell", "\\a", false, false},
        TreeRow{"octal", "\\01", false, false}, TreeRow{"null", "\\0", true, true},
        TreeRow{"inline_flag", "(?i)a", false, false},
        TreeRow{"python_group", "(?P<n>a)", false, false},
        TreeRow{"comment", "(?#a)", false, false}, TreeRow{"atomic", "(?>a)", false, false},
        TreeRow{"possessive", "a++", false, false}, TreeRow{"verb", "(*ACCEPT)", false, false},
        TreeRow{"open_group", "(a", false, false}, TreeRow{"stray_close", "a)", false, false},
        TreeRow{"open_class", "[a", false, false},
        TreeRow{"class_that_ends_in_a_backslash", "[\\", false, false},
        TreeRow{"lone_backslash", "\\", false, false},
        TreeRow{"range_out_of_order", "[z-a]", false, false},
        TreeRow{"counts_out_of_order", "a{2,1}", false, false},
        TreeRow{"count_too_large", "a{65536}", false, false},
        TreeRow{"repeated_start", "^*", false, false},
        TreeRow{"nothing_to_repeat", "a|*", false, false},
        TreeRow{"group_that_is_not_there", "(a)\\2", false, false},
        TreeRow{"name_that_is_not_there", "(?<n>a)\\k<m>", false, false},
        TreeRow{"same_name_twice", "(?<n>a)(?<n>b)", false, false},
        TreeRow{"unknown_property", "\\p{Nothing}", false, false},
        TreeRow{"property_without_braces", "\\pL", false, false},
        TreeRow{"half_a_unicode_escape", "\\u12", false, false},
        TreeRow{"code_point_out_of_range", "\\u{110000}", false, false},
        TreeRow{"control_without_letter", "\\c1", false, false},
        TreeRow{"stale_capture", "(?:(a)|b)*\\1", false, false},
        TreeRow{"stale_capture_in_its_round", "(?:(a)?\\1)*", false, false},
        TreeRow{"fresh_capture_in_its_round", "(?:(['\"])x\\1)*", true, true},
        TreeRow{"last_of_many", "(?:(a))*\\1", true, true},
        TreeRow{"last_of_at_least_one", "(?:(a|b))+\\1", true, true},
        TreeRow{"stale_capture_of_an_inner_round", "(?:x(a)*)+\\1", false, false}),
    tests::kRowNames);

TEST(Parse, says_where_the_pattern_is_wrong) {
  const auto result = parse("ab[z-a]", Grammar::kTolerant);

  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().offset, 3U);
  EXPECT_EQ(result.error().message, "range out of order");
}

TEST(Parse, rejects_nesting_beyond_what_can_run) {
  const std::string deep = std::string(100'000, '(') + std::string(100'000, ')');

  EXPECT_FALSE(parse(deep).has_value());
}

}  // namespace
}  // namespace spec::schema::patterns
