#include "spec/schema/patterns/automaton.hpp"

#include "spec/schema/patterns/pattern.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace spec::schema::patterns {
namespace {

class SimplePattern : public testing::TestWithParam<const char*> {};

// Texts of pieces that patterns are about, so that many match or nearly do.
std::string random_text(std::mt19937_64& random) {
  static constexpr std::array<std::string_view, 26> kPieces{"a",
                                                            "b",
                                                            "Z",
                                                            "_",
                                                            "0",
                                                            "9",
                                                            "12",
                                                            "-",
                                                            ".",
                                                            "/",
                                                            " ",
                                                            "\n",
                                                            "abc",
                                                            "ab",
                                                            "$",
                                                            "^",
                                                            "#",
                                                            "\t",
                                                            "3f",
                                                            "USD",
                                                            "\xC3\xA9",
                                                            "\xE2\x80\xA8",
                                                            "\xF0\x9F\x90\xB2",
                                                            "x1",
                                                            "\\",
                                                            "sub_"};
  std::string text;
  for (std::uint64_t i = random() % 7; i > 0; --i) {
    text += kPieces.at(random() % kPieces.size());
  }
  return text;
}

TEST_P(SimplePattern, finds_what_pcre2_finds) {
  const auto automaton = Automaton::compile(GetParam());
  const auto pattern = Pattern::compile_for_pcre2(GetParam());
  ASSERT_TRUE(automaton.has_value());
  ASSERT_TRUE(pattern.has_value());

  std::mt19937_64 random(20250309);
  for (int i = 0; i < 4000; ++i) {
    const std::string text = random_text(random);
    ASSERT_EQ(automaton->search(text), pattern->search(text) == Search::kFound) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Agreement, SimplePattern,
    testing::Values("", "a", "^a", "a$", "^a$", "^$", "$", "^-?[0-9]+(\\.[0-9]+)?$", "^[A-Z]{3}$",
                    "^[^a-z]", "[^\\n]$", "^.$", "^..?$", "^\\s*\\S", "^\\W\\w+$", "\\d{2,3}$",
                    "^(a|b|ab)*$", "(a|ab)(c|bc)$", "^(?:a+?b)+", "a{2}|b{0,2}Z", "^[\\d._-]*$",
                    "^[]$", "^[^]$", "^\xC3\xA9+$", "[\xC3\xA0-\xC3\xBF]$", "^[^\xC3\xA9]*$",
                    "(^a|b$)", "a(^b|$)", "^(a?){3}$", "(a*)*b", "^sub_[0-9a-zA-Z]+$",
                    "\\$|\\^|\\\\", "^#?[0-9a-f]{1,3}$", "^(\\w+[./])*\\w+$", "x*$", "^\\D$"));

TEST(SimplePatterns, end_where_pcre2_is_needed) {
  for (const char* pattern : {"(?=a)b", "(a)\\1", "a\\b", "\\p{L}", "(?<n>a)", "^.{1,90}$",
                              "(a|b)*a(a|b){12}$", "\\x41", "a{101}"}) {
    EXPECT_FALSE(Automaton::compile(pattern).has_value()) << pattern;
  }
}

TEST(SimplePatterns, match_no_text_that_is_not_utf_8) {
  const auto anywhere = Automaton::compile("a");
  const auto whole = Automaton::compile("^[^b]*$");
  ASSERT_TRUE(anywhere && whole);

  EXPECT_FALSE(anywhere->search("a\xFF"));
  EXPECT_FALSE(whole->search("a\xC3"));
  EXPECT_TRUE(whole->search("a\xC3\xA9"));
}

}  // namespace
}  // namespace spec::schema::patterns
