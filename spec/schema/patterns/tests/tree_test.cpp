#include "spec/schema/patterns/pattern_tree.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::schema::patterns {
namespace {

struct TreeRow {
  std::string name;
  std::string pattern;
  bool strict = false;    // whether the "u" grammar takes it
  bool tolerant = false;  // whether the tolerant one does
};

using Parse = spec::tests::RowTest;

TEST_P(Parse, accepts_what_its_grammar_has) {
  const TreeRow& row = GetParam();

  const bool strict = parse(row.pattern, Grammar::kUnicode).has_value();
  const bool tolerant = parse(row.pattern, Grammar::kTolerant).has_value();

  EXPECT_EQ(strict, row.strict);
  EXPECT_EQ(tolerant, row.tolerant);
}

const std::vector<TreeRow> kGrammarParse = {
    {"plain", "^[a-z]+$", true, true},
    {"escaped_hyphen", "a\\-b", false, true},
    {"escaped_hyphen_in_class", "[a\\-b]", true, true},
    {"class_escape_beside_a_hyphen", "[\\w-.]", false, true},
    {"bare_opening_brace", "a{b", false, true},
    {"bare_closing_brace", "a}b", false, true},
    {"bare_closing_bracket", "a]b", false, true},
    {"brace_without_atom", "{2}", false, false},
    {"end_anchor_of_others", "a\\Z", false, false},
    {"bell", "\\a", false, false},
    {"octal", "\\01", false, false},
    {"null", "\\0", true, true},
    {"inline_flag", "(?i)a", false, false},
    {"python_group", "(?P<n>a)", false, false},
    {"comment", "(?#a)", false, false},
    {"atomic", "(?>a)", false, false},
    {"possessive", "a++", false, false},
    {"verb", "(*ACCEPT)", false, false},
    {"open_group", "(a", false, false},
    {"stray_close", "a)", false, false},
    {"open_class", "[a", false, false},
    {"class_that_ends_in_a_backslash", "[\\", false, false},
    {"lone_backslash", "\\", false, false},
    {"range_out_of_order", "[z-a]", false, false},
    {"counts_out_of_order", "a{2,1}", false, false},
    {"count_beyond_the_library", "a{65536}", true, true},
    {"repeated_start", "^*", false, false},
    {"nothing_to_repeat", "a|*", false, false},
    {"group_that_is_not_there", "(a)\\2", false, false},
    {"name_that_is_not_there", "(?<n>a)\\k<m>", false, false},
    {"same_name_twice", "(?<n>a)(?<n>b)", false, false},
    {"unknown_property", "\\p{Nothing}", false, false},
    {"property_without_braces", "\\pL", false, false},
    {"half_a_unicode_escape", "\\u12", false, false},
    {"code_point_out_of_range", "\\u{110000}", false, false},
    {"control_without_letter", "\\c1", false, false},
    {"stale_capture", "(?:(a)|b)*\\1", false, false},
    {"stale_capture_in_its_round", "(?:(a)?\\1)*", false, false},
    {"fresh_capture_in_its_round", "(?:(['\"])x\\1)*", true, true},
    {"last_of_many", "(?:(a))*\\1", true, true},
    {"last_of_at_least_one", "(?:(a|b))+\\1", true, true},
    {"stale_capture_of_an_inner_round", "(?:x(a)*)+\\1", false, false}};

INSTANTIATE_TEST_SUITE_P(Grammar, Parse, testing::ValuesIn(spec::tests::rows(kGrammarParse)),
                         spec::tests::kRowNames);

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
