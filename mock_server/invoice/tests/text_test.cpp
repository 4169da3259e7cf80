#include "mock_server/invoice/invoice_canvas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mock_server::invoice {
namespace {

using testing::ElementsAre;

float one(char32_t /*character*/) {
  return 1;
}

std::vector<std::u32string> wrapped(std::u32string_view text, float width) {
  return wrap(text, width, one);
}

TEST(CodePoints, are_those_of_the_text) {
  EXPECT_EQ(code_points("J\xC3\xBC \xE7\x94\xB0"), U"Jü 田");
}

TEST(CodePoints, show_what_is_malformed_as_a_replacement) {
  EXPECT_EQ(code_points("a\xC3(\xFF"), U"a\uFFFD(\uFFFD");
}

TEST(CodePoints, make_blanks_of_controls_and_line_breaks) {
  EXPECT_EQ(code_points(std::string_view("a\0b\r\nc\x7F\xE2\x80\xA8", 10)), U"a b  c  ");
}

TEST(CodePoints, beyond_the_basic_plane_become_a_box) {
  EXPECT_EQ(code_points("\xF0\x9F\x91\xA9!"), U"\u25A1!");
}

TEST(Wrap, breaks_at_blanks) {
  EXPECT_THAT(wrapped(U"one two three", 7), ElementsAre(U"one two", U"three"));
}

TEST(Wrap, fills_a_line_to_its_last_unit) {
  EXPECT_THAT(wrapped(U"ab cd", 5), ElementsAre(U"ab cd"));
  EXPECT_THAT(wrapped(U"ab cd", 4.9F), ElementsAre(U"ab", U"cd"));
}

TEST(Wrap, breaks_a_word_that_is_wider_than_a_line) {
  EXPECT_THAT(wrapped(U"a bcdefgh i", 3), ElementsAre(U"a", U"bcd", U"efg", U"h i"));
}

TEST(Wrap, puts_a_character_that_is_wider_than_a_line_on_a_line_of_its_own) {
  EXPECT_THAT(wrapped(U"abc", 0.5F), ElementsAre(U"a", U"b", U"c"));
}

TEST(Wrap, drops_blanks_at_ends_and_doubled_ones) {
  EXPECT_THAT(wrapped(U"  a  b  ", 9), ElementsAre(U"a b"));
}

TEST(Wrap, makes_one_empty_line_of_nothing) {
  EXPECT_THAT(wrapped(U"", 9), ElementsAre(U""));
}

TEST(Visual, leaves_what_is_written_from_left_to_right) {
  EXPECT_EQ(visual(U"Zoë (12)"), U"Zoë (12)");
}

TEST(Visual, turns_what_is_written_from_right_to_left) {
  EXPECT_EQ(visual(U"\u05D0\u05D1\u05D2"), U"\u05D2\u05D1\u05D0");
}

// Meem, reh, yeh, meem: initial and final forms where they join, isolated where they do not.
TEST(Visual, joins_arabic_letters) {
  EXPECT_EQ(visual(U"\u0645\u0631\u064A\u0645"), U"\uFEE2\uFEF3\uFEAE\uFEE3");
}

TEST(DateWords, name_day_month_and_year) {
  EXPECT_EQ(date_words("2025-08-03T09:14:07.318204Z"), "3 August 2025");
  EXPECT_EQ(date_words("1999-12-31"), "31 December 1999");
}

TEST(DateWords, leave_other_texts_unchanged) {
  EXPECT_EQ(date_words("2025-13-03T09:14:07Z"), "2025-13-03T09:14:07Z");
  EXPECT_EQ(date_words("last summer"), "last summer");
  EXPECT_EQ(date_words("2025"), "2025");
}

TEST(Latin, is_what_windows_1252_has) {
  EXPECT_TRUE(is_latin(U"Jürgen Weiß – 12 €"));
  EXPECT_FALSE(is_latin(U"Kyōto"));
  EXPECT_FALSE(is_latin(U"\u0081"));
  EXPECT_FALSE(is_latin(std::u32string_view(U"\0", 1)));
}

TEST(Latin, is_written_in_windows_1252) {
  EXPECT_EQ(to_windows_1252(U"ß € – ō"), "\xDF \x80 \x96 ?");
}

TEST(Utf8, is_what_code_points_reads) {
  EXPECT_EQ(to_utf8(U"Jü 田"), "J\xC3\xBC \xE7\x94\xB0");
}

}  // namespace
}  // namespace mock_server::invoice
