#include "spec/text/utf8.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace spec::text {
namespace {

using std::string_literals::operator""s;

std::size_t expected_length(std::uint32_t code) {
  return code < 0x80 ? 1 : (code < 0x800 ? 2 : (code < 0x10000 ? 3 : 4));
}

// Together with the next test this fixes the set: all that must be in it, and no more than that.
TEST(Utf8, takes_the_encoding_of_every_scalar_value) {
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) {
      continue;
    }
    std::string text;
    append_utf8(text, code);
    ASSERT_EQ(text.size(), expected_length(code)) << code;
    ASSERT_EQ(utf8_sequence(text, 0), text.size()) << code;
  }
}

TEST(Utf8, takes_no_other_sequence) {
  std::array<std::size_t, 5> count{};
  std::array<char, 4> bytes{};
  const std::string_view text(bytes.data(), bytes.size());
  const std::string last = "\x7F\x80\xBF\xC0";
  for (std::uint32_t head = 0; head < 0x1000000; ++head) {
    bytes = {static_cast<char>(head >> 16U), static_cast<char>(head >> 8U),
             static_cast<char>(head)};
    ++count[utf8_sequence(text.substr(0, 3), 0)];
    for (std::size_t i = 0; i < last.size() && (head >> 16U) >= 0xF0U; ++i) {
      bytes[3] = last[i];
      count[4] += utf8_sequence(text, 0) == 4 ? 1 : 0;
    }
  }

  EXPECT_EQ(count[1], 128U * 256 * 256);
  EXPECT_EQ(count[2], 1920U * 256);
  EXPECT_EQ(count[3], 61440U);
  EXPECT_EQ(count[4], 0x100000U / 64 * 2);
}

TEST(Utf8, ends_the_valid_prefix_at_the_first_wrong_byte) {
  EXPECT_EQ(valid_utf8_prefix(""), 0U);
  EXPECT_EQ(valid_utf8_prefix("12345678é90"), 12U);
  EXPECT_EQ(valid_utf8_prefix("12345678901\xE2\x82"), 11U);
  EXPECT_EQ(valid_utf8_prefix("é\xFFé"), 2U);
  EXPECT_TRUE(is_utf8("a\0é"s));
  EXPECT_FALSE(is_utf8("\x80"));
}

TEST(Utf8, is_cut_between_characters) {
  EXPECT_EQ(utf8_start("aé😀", 99), "aé😀");
  EXPECT_EQ(utf8_start("aé😀", 6), "aé");
  EXPECT_EQ(utf8_start("aé😀", 3), "aé");
  EXPECT_EQ(utf8_start("aé😀", 2), "a");
  EXPECT_EQ(utf8_start("é", 1), "");
}

TEST(Utf8, counts_and_cuts_characters) {
  EXPECT_EQ(character_count("aé😀"), 3U);
  EXPECT_EQ(character_count(""), 0U);
  EXPECT_EQ(first_characters("aé😀", 2), "aé");
  EXPECT_EQ(first_characters("aé😀", 9), "aé😀");
  EXPECT_EQ(first_characters("\xFF\xFFz", 2), "\xFF\xFF");
}

TEST(Utf8, replaces_each_byte_that_is_none) {
  EXPECT_EQ(as_utf8("aé😀"), "aé😀");
  EXPECT_EQ(as_utf8("a\xFF\xC3"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace spec::text
