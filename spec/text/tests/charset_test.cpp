#include "spec/text/charset.hpp"

#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::text {
namespace {

using std::string_literals::operator""s;

struct CodedRow {
  std::string name;
  std::string label;
  std::string bytes;
  std::string text;
};

using Charsets = spec::tests::RowTest;

TEST_P(Charsets, are_read_by_their_labels) {
  const CodedRow& row = GetParam();

  const auto decoded = decode_charset(row.bytes, row.label);

  ASSERT_TRUE(decoded.has_value()) << decoded.error().set << decoded.error().byte;
  EXPECT_EQ(*decoded, row.text);
}

const std::vector<CodedRow> kKnownCharsets = {
    {"utf_8", "UTF-8", "\u00E9", "\u00E9"},
    {"latin_1_is_windows_1252", "iso-8859-1", "\x80\x93\xE9", "\u20AC\u201C\u00E9"},
    {"latin_2", "latin2", "\xA1\xB1", "\u0104\u0105"},
    {"latin_9", "ISO-8859-15", "\xA4", "\u20AC"},
    {"cyrillic", "windows-1251", "\xCF\xF0\xE8", "\u041F\u0440\u0438"},
    {"russian", "koi8-r", "\xF0\xD2\xC9", "\u041F\u0440\u0438"},
    {"hebrew_from_right_to_left", "iso-8859-8-i", "\xE0", "\u05D0"},
    {"thai", "tis-620", "\xA1", "\u0E01"},
    {"macintosh", "x-mac-roman", "\x8E", "\u00E9"},
    {"utf_16", "utf-16", "a\0\xE9\0"s, "a\u00E9"},
    {"utf_16_by_its_mark", "utf-16le", "\xFE\xFF\0a\xD8\x3D\xDE\0"s, "a\U0001F600"},
    {"utf_16_without_a_mark", "utf-16be", "\0a"s, "a"},
    {"utf_16_by_an_older_name", "unicodeFFFE", "\0a"s, "a"},
    {"utf_8_by_an_older_name", "unicode20utf8", "a\u00E9", "a\u00E9"}};

INSTANTIATE_TEST_SUITE_P(Known, Charsets, testing::ValuesIn(spec::tests::rows(kKnownCharsets)),
                         spec::tests::kRowNames);

struct UncodedRow {
  std::string name;
  std::string label;
  std::string bytes;
  std::string set;
  std::size_t byte = 0;
};

using CharsetFaults = spec::tests::RowTest;

TEST_P(CharsetFaults, name_the_set_and_the_byte) {
  const UncodedRow& row = GetParam();

  const auto decoded = decode_charset(row.bytes, row.label);

  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error().set, row.set);
  EXPECT_EQ(decoded.error().byte, row.byte);
}

const std::vector<UncodedRow> kFaultsCharsetFaults = {
    {"unknown", "shift_jis", "a", "", 0},
    {"part_of_a_label", "iso-8859", "a", "", 0},
    {"no_label", "", "a", "", 0},
    {"no_character", "windows-1255", "a\xD9", "windows-1255", 1},
    {"no_utf_8", "utf8", "ab\xFF", "UTF-8", 2},
    {"half_a_unit", "utf-16", "a\0b"s, "UTF-16", 2},
    {"low_surrogate_first", "utf-16", "\0\xDC"s, "UTF-16", 0},
    {"high_surrogate_last", "utf-16", "a\0\0\xD8"s, "UTF-16", 2}};

INSTANTIATE_TEST_SUITE_P(Table, CharsetFaults,
                         testing::ValuesIn(spec::tests::rows(kFaultsCharsetFaults)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace spec::text
