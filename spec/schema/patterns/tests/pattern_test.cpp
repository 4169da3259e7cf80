#include "spec/schema/patterns/pattern.hpp"

#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace spec::schema::patterns {
namespace {

struct Row {
  std::string name;
  std::string pattern;
  std::string text;
  Search expected = Search::kFound;
};

using PatternSearch = spec::tests::RowTest;

TEST_P(PatternSearch, finds_what_ecmascript_finds) {
  const Row& row = GetParam();

  const auto pattern = Pattern::compile(row.pattern);
  ASSERT_TRUE(pattern.has_value()) << pattern.error().message;

  EXPECT_EQ(pattern->search(row.text), row.expected);
}

constexpr Search kFound = Search::kFound;
constexpr Search kNotFound = Search::kNotFound;

const std::vector<Row> kMeaningPatternSearch = {
    {"anywhere", "b", "abc", kFound},
    {"end_is_the_end", "a$", "a\n", kNotFound},
    {"dot_is_no_line_end", "^.$", "\n", kNotFound},
    {"dot_is_no_line_separator", "^.$", "\xE2\x80\xA8", kNotFound},
    {"dot_is_a_code_point", "^.$", "\xF0\x9F\x90\xB2", kFound},
    {"digit_is_ascii", "^\\d$", "\xDF\x80", kNotFound},
    {"no_digit_in_a_class", "^[\\D]$", "\xDF\x80", kFound},
    {"word_is_ascii", "^\\w$", "\xC3\xA9", kNotFound},
    {"boundary_is_ascii", "a\\b", "a\xC3\xA9", kFound},
    {"byte_order_mark_is_space", "^\\s$", "\xEF\xBB\xBF", kFound},
    {"no_space_in_a_class", "^[^\\S]$", "\xE2\x80\x83", kFound},
    {"empty_class", "^a[]?b$", "ab", kFound},
    {"empty_class_alone", "[]", "a", kNotFound},
    {"everything", "^[^]$", "\n", kFound},
    {"long_category", "^\\p{Letter}$", "\xC3\xA9", kFound},
    {"category_with_name", "^\\p{gc=Lu}$", "A", kFound},
    {"alias_digit", "^\\p{digit}$", "\xE0\xA7\xAA", kFound},
    {"script", "^\\p{Script=Greek}+$", "\xCE\xB1\xCE\xB2", kFound},
    {"short_script", "^\\p{sc=Grek}+$", "a", kNotFound},
    {"script_extensions", "^\\p{scx=Cyrl}$", "\xD0\xB1", kFound},
    {"binary", "^\\p{Emoji_Presentation}$", "\xF0\x9F\x90\xB2", kFound},
    {"short_binary", "^\\p{AHex}$", "f", kFound},
    {"not_assigned", "^\\P{Assigned}$", "\xCD\xB8", kFound},
    {"ascii", "^[\\p{ASCII}]$", "~", kFound},
    {"control", "^\\cJ$", "\n", kFound},
    {"hex", "^\\x41$", "A", kFound},
    {"surrogate_pair", "^\\uD83D\\uDC32$", "\xF0\x9F\x90\xB2", kFound},
    {"braced", "^\\u{1F432}$", "\xF0\x9F\x90\xB2", kFound},
    {"lone_surrogate", "\\uD83D", "\xF0\x9F\x90\xB2", kNotFound},
    {"range_over_surrogates", "^[\\u0000-\\uFFFF]$", "a", kFound},
    {"slash", "^a\\/b$", "a/b", kFound},
    {"hash_is_plain", "^a #b$", "a #b", kFound},
    {"named_reference", "^(?<q>['\"])x\\k<q>$", "'x'", kFound},
    {"forward_reference_is_empty", "^\\1(a)$", "a", kFound},
    {"unset_group_is_empty", "^(?:(a)|b)\\1$", "b", kFound},
    {"reference_before_digit", "^(a)\\1(?:)0$", "aa0", kFound},
    {"lookbehind", "(?<=a)b", "ab", kFound},
    {"class_quantifier", "^[\\w-.]{2,}$", "a-", kFound},
    {"literal_brace", "^{a}$", "{a}", kFound},
    {"invalid_utf8", ".", "\xFF", kNotFound}};

INSTANTIATE_TEST_SUITE_P(Meaning, PatternSearch,
                         testing::ValuesIn(spec::tests::rows(kMeaningPatternSearch)),
                         spec::tests::kRowNames);

const Row large(std::string name, std::string pattern, std::string unit, std::size_t count,
                Search expected) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += unit;
  }
  return {std::move(name), std::move(pattern), std::move(text), expected};
}

constexpr Search kUndecided = Search::kUndecided;

const std::vector<Row> kCountsPatternSearch = {
    large("above_65535", "^.{1,2097152}$", "a", 100'000, kFound),
    large("above_65535_not_reached", "^.{1,2097152}$", "", 0, kNotFound),
    large("above_65535_exceeded", "^.{1,70000}$", "a", 70'001, kUndecided),
    large("a_minimum_above_65535", "^.{70000,}$", "a", 65'534, kNotFound),
    large("a_minimum_above_65535_perhaps_reached", "^.{70000,}$", "a", 80'000, kUndecided),
    large("of_a_large_group", "^(..){1,900}$", "ab", 450, kFound),
    large("of_a_large_group_not_met", "^(..){1,900}$", "a", 3, kNotFound),
    large("of_characters_not_bytes", "^(..){1,900}$", "\xC3\xA9", 900, kFound),
    large("of_a_large_group_exceeded", "^(..){1,900}$", "ab", 451, kUndecided),
    large("of_groups_in_groups", "^((..){1,90}x){1,90}$", "abx", 30, kFound),
    large("of_a_large_minimum", "^(?:[a-f0-9]{2}-?){900}$", "ab-", 5, kNotFound),
    large("beyond_any_text", "^a{0,99999999999999999999}$", "a", 5, kFound)};

INSTANTIATE_TEST_SUITE_P(Counts, PatternSearch,
                         testing::ValuesIn(spec::tests::rows(kCountsPatternSearch)),
                         spec::tests::kRowNames);

TEST(Pattern, finds_the_first_stretch_that_it_matches) {
  const auto pattern = Pattern::compile("a(b|é)+");

  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->find("xx abébb ab"), "abébb");
  EXPECT_EQ(pattern->find("xx ab"), "ab");
  EXPECT_EQ(pattern->find("ba"), std::nullopt);
}

TEST(Pattern, knows_every_property_that_it_lets_pass) {
  for (const char* name :
       {"AHex",  "Alpha", "Bidi_C", "Bidi_M",       "CI",         "CWCF",    "CWCM",    "CWL",
        "CWT",   "CWU",   "Cased",  "DI",           "Dash",       "Dep",     "Dia",     "EBase",
        "EComp", "EMod",  "EPres",  "Emoji",        "Ext",        "ExtPict", "Gr_Base", "Gr_Ext",
        "Hex",   "IDC",   "IDS",    "IDSB",         "IDST",       "Ideo",    "Join_C",  "LOE",
        "Lower", "Math",  "NChar",  "Pat_Syn",      "Pat_WS",     "QMark",   "RI",      "Radical",
        "SD",    "STerm", "Term",   "UIdeo",        "Upper",      "VS",      "XIDC",    "XIDS",
        "space", "Any",   "LC",     "Cased_Letter", "White_Space"}) {
    EXPECT_TRUE(Pattern::compile(std::string("\\p{") + name + '}').has_value()) << name;
  }
}

TEST(Pattern, rejects_a_lookbehind_of_variable_length) {
  const auto pattern = Pattern::compile("(?<=a+)b");

  ASSERT_FALSE(pattern.has_value());
  EXPECT_EQ(pattern.error().message,
            "PCRE2 cannot run it: lookbehind assertion is not fixed length");
}

TEST(Pattern, searches_a_long_text_without_the_threads_own_stack) {
  const auto pattern = Pattern::compile("^(?=a)(?:[a-z]|[0-9])*$");
  ASSERT_TRUE(pattern.has_value());

  EXPECT_EQ(pattern->search(std::string(1'000'000, 'a')), Search::kFound);
}

// Each repetition of the group is kept on the JIT's stack.
TEST(Pattern, gives_up_beyond_64_mebibytes_of_stack) {
  const auto pattern = Pattern::compile("^(?=a)(?:[a-z]|[0-9])*$");
  ASSERT_TRUE(pattern.has_value());

  EXPECT_EQ(pattern->search(std::string(50'000'000, 'a')), Search::kUndecided);
  EXPECT_EQ(pattern->search("a!"), Search::kNotFound);
}

// Each place by itself takes fewer steps than its limit.
TEST(Pattern, gives_up_where_all_places_together_take_too_many_steps) {
  const auto pattern = Pattern::compile("(?:a|b)+(?:a|c)+[xy]");
  ASSERT_TRUE(pattern.has_value());

  EXPECT_EQ(pattern->search(std::string(2'000, 'a')), Search::kUndecided);
}

TEST(Pattern, a_budget_is_for_all_searches_of_its_thread) {
  const auto hard = Pattern::compile("^(a|aa)+$");
  const auto easy = Pattern::compile("^[a-z]+$");
  const std::string text = std::string(60, 'a') + '!';
  ASSERT_TRUE(hard && easy);
  {
    const SearchBudget budget(1'000'000, [] { return true; });
    EXPECT_EQ(easy->search("abc"), Search::kFound);
    EXPECT_THROW(static_cast<void>(hard->search(text)), SearchBudget::Exhaustion);
    EXPECT_THROW(static_cast<void>(hard->search(text)), SearchBudget::Exhaustion);
    EXPECT_EQ(easy->search("abc"), Search::kFound);
  }
  {
    const SearchBudget budget(1'000'000, [] { return false; });
    EXPECT_EQ(hard->search("aaaa"), Search::kFound);
    EXPECT_FALSE(SearchBudget::is_exhausted());
    EXPECT_EQ(hard->search(text), Search::kUndecided);
    EXPECT_TRUE(SearchBudget::is_exhausted());
    EXPECT_EQ(easy->search("abc"), Search::kFound);
  }
  EXPECT_FALSE(SearchBudget::is_exhausted());
}

TEST(Pattern, gives_up_in_bounded_time) {
  const auto pattern = Pattern::compile("^(?=a)(a+)+$");
  ASSERT_TRUE(pattern.has_value());
  const auto start = std::chrono::steady_clock::now();

  const Search result = pattern->search(std::string(100, 'a') + '!');

  EXPECT_EQ(result, Search::kUndecided);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace spec::schema::patterns
