#include "spec/text/quote.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace spec::text {
namespace {

using std::string_literals::operator""s;

TEST(InQuotes, writes_a_json_string_of_valid_utf8) {
  EXPECT_EQ(in_quotes("a\"b\\\n\x01é"), R"("a\"b\\\n\u0001é")");
  EXPECT_EQ(in_quotes("\xFF!"), "\"\xEF\xBF\xBD!\"");
}

TEST(InQuotes, cuts_between_characters_and_says_so) {
  EXPECT_EQ(in_quotes("ééé", 3), "\"ééé\"");
  EXPECT_EQ(in_quotes("éééé", 3), "\"ééé...\"");
  EXPECT_EQ(shortened("\xFF\xFF\xFF", 2), "\xFF\xFF...");
}

TEST(OneLine, has_blanks_for_controls_and_cuts_no_character) {
  EXPECT_EQ(one_line("a\nb\tcé", 99), "a b cé");
  EXPECT_EQ(one_line("a\nbé", 4), "a b");
}

TEST(Printable, is_ascii_whatever_came) {
  EXPECT_EQ(printable("a\x80\n~\x7F"), "a??~?");
  EXPECT_EQ(printable("abcdef", 3), "abc");
}

TEST(WithoutControls, escapes_what_a_terminal_or_a_page_obeys) {
  EXPECT_EQ(without_controls("a \"\\ c\xC3\xA9 \xE2\x80\x90 \xC2\xA0"),
            "a \"\\ c\xC3\xA9 \xE2\x80\x90 \xC2\xA0");
  EXPECT_EQ(without_controls("\n\x1b\x7f|\xC2\x80\xC2\x9B\xC2\x9F"),
            R"(\n\u001b\u007f|\u0080\u009b\u009f)");
  EXPECT_EQ(
      without_controls("\xD8\x9C\xE2\x80\x8E\xE2\x80\xA8\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9"),
      R"(\u061c\u200e\u2028\u202e\u2066\u2069)");
  EXPECT_EQ(without_controls("\xFF."), "\xEF\xBF\xBD.");
}

TEST(DescribeByte, names_a_byte_or_the_end) {
  EXPECT_EQ(describe_byte("a}", 1), "'}'");
  EXPECT_EQ(describe_byte(" ", 0), "byte 0x20");
  EXPECT_EQ(describe_byte("\xC3", 0), "byte 0xC3");
  EXPECT_EQ(describe_byte("a", 1), "the end of the text");
}

TEST(Join, puts_separators_between_texts_alone) {
  EXPECT_EQ(join(std::vector<std::string>{}), "");
  EXPECT_EQ(join(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(join(std::array<std::string_view, 3>{"a", "", "c"}, "/"), "a//c");
}

TEST(Join, of_alternatives_ends_in_or) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(join_alternatives(Words{}), "");
  EXPECT_EQ(join_alternatives(Words{"a"}), "a");
  EXPECT_EQ(join_alternatives(Words{"a", "b"}), "a or b");
  EXPECT_EQ(join_alternatives(Words{"a", "b", "c"}), "a, b or c");
}

TEST(NamesListed, says_how_many_more_there_are) {
  const std::vector<std::string> names{"a", "b", "c"};
  EXPECT_EQ(names_listed(names), "a, b, c");
  EXPECT_EQ(names_listed(names, 1), "a and 2 more");
  EXPECT_EQ(names_listed({}), "none");
}

TEST(AppendToList, separates_what_is_there_from_what_comes) {
  std::string list;

  append_to_list(list, "a");
  append_to_list(list, "b");

  EXPECT_EQ(list, "a, b");
}

TEST(Wrapped, breaks_at_blanks_and_never_in_a_word) {
  EXPECT_EQ(wrapped("", 5), "");
  EXPECT_EQ(wrapped("ab cd", 5), "ab cd");
  EXPECT_EQ(wrapped("ab cd e", 5), "ab cd\ne");
  EXPECT_EQ(wrapped("longer ab", 5), "longer\nab");
}

// Every special byte at every place of a text of 20 bytes, with every other special after it.
TEST(PlainRun, ends_at_the_first_special_byte) {
  for (std::size_t place = 0; place < 20; ++place) {
    for (const char special : "\"\\\x01\x1F\x80\xFF"s + '\0') {
      std::string text(20, '~');
      text[place] = special;
      text[19] = place == 19 ? special : '"';
      for (std::size_t from = 0; from <= place; ++from) {
        ASSERT_EQ(plain_run_end(text, from), place) << static_cast<int>(special);
      }
    }
  }
  EXPECT_EQ(plain_run_end(std::string(20, ' '), 3), 20U);
}

}  // namespace
}  // namespace spec::text
