#include "spec/json/read.hpp"

#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::json {
namespace {

using std::string_literals::operator""s;

struct RejectedRow {
  std::string name;
  std::string text;
  std::size_t byte_offset;
  std::string message;
};

using ReadRejects = spec::tests::RowTest;

TEST_P(ReadRejects, with_offset_and_cause) {
  const RejectedRow& expected = GetParam();

  const auto value = read(expected.text);

  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().byte_offset, expected.byte_offset);
  EXPECT_EQ(value.error().message, expected.message);
}

const std::vector<RejectedRow> kReadRejectsRows = {
    {"nothing", "", 0, "expected a JSON value, found the end of the text"},
    {"only_blanks", " \n", 2, "expected a JSON value, found the end of the text"},
    {"byte_order_mark", "\xEF\xBB\xBF{}", 0, "the text starts with a byte order mark; remove it"},
    {"nul_after_the_value", "{\"a\":1}\0garbage"s, 7,
     "expected the end of the text, found byte 0x00"},
    {"second_value", "1 2", 2, "expected the end of the text, found '2'"},
    {"not_a_number", "[NaN]", 1, "expected a JSON value, found 'N'"},
    {"infinity", "-Infinity", 1, "expected a digit, found 'I'"},
    {"plus_sign", "+1", 0, "expected a JSON value, found '+'"},
    {"leading_zero", "01", 1, "a number has no leading zero"},
    {"point_without_digit", "1.", 2, "expected a digit, found the end of the text"},
    {"huge_exponent", "1e1234567890123456789", 2, "the exponent has 19 digits; the limit is 18"},
    {"wrong_literal", "truth", 3, "expected 'e' of 'true', found 't'"},
    {"trailing_comma_in_array", "[1,]", 3, "expected a JSON value, found ']'"},
    {"trailing_comma_in_object", R"({"a":1,})", 7, "expected a member name, found '}'"},
    {"no_colon", R"({"a" 1})", 5, "expected ':', found '1'"},
    {"wrong_bracket", "[1}", 2, "expected ',' or ']', found '}'"},
    {"open_array", "[1", 2, "expected ',' or ']', found the end of the text"},
    {"open_string", "\"abc", 4, "the text ends inside a string"},
    {"raw_control", "\"a\nb\"", 2,
     "control characters in a string must be escaped, found byte 0x0A"},
    {"unknown_escape", R"("\x41")", 2, "expected one of \"\\/bfnrtu after '\\', found 'x'"},
    {"short_unicode_escape", R"("\u12")", 5, "expected a hexadecimal digit, found '\"'"},
    {"lone_high_surrogate", R"("a\ud800b")", 2, "half of a surrogate pair is not a character"},
    {"lone_low_surrogate", R"("\udc00")", 1, "half of a surrogate pair is not a character"},
    {"two_high_surrogates", R"("\ud800\ud800")", 1, "half of a surrogate pair is not a character"},
    {"overlong_slash", "\"\xC0\xAF\"", 1, "invalid UTF-8: byte 0xC0"},
    {"surrogate_in_utf8", "\"\xED\xA0\x80\"", 1, "invalid UTF-8: byte 0xED"},
    {"cut_sequence_after_escape", "\"\\n\xE2\x82\"", 3, "invalid UTF-8: byte 0xE2"},
    {"invalid_utf8_in_key", "{\"\xFF\":1}", 2, "invalid UTF-8: byte 0xFF"},
    {"duplicate_key", R"({"a":{"b":1},"b":2,"a":3})", 19,
     "duplicate member \"a\" (first at byte 1)"},
    {"duplicate_by_escape", R"([{"a":1,"\u0061":2}])", 8,
     "duplicate member \"a\" (first at byte 2)"}};

INSTANTIATE_TEST_SUITE_P(, ReadRejects, testing::ValuesIn(spec::tests::rows(kReadRejectsRows)),
                         spec::tests::kRowNames);

TEST(Read, keeps_every_kind_of_value) {
  const auto value = read(R"( {"a":[1,-2,1.50,"x\u00e9\ud83d\ude00"],"b":{"c":null,"d":true}} )");

  ASSERT_TRUE(value);
  EXPECT_EQ(write(*value), R"({"a":[1,-2,1.50,"xé😀"],"b":{"c":null,"d":true}})");
}

TEST(Read, decodes_every_escape) {
  const auto value = read(R"("\"\\\/\b\f\n\r\t\u0000\u20AC é")");

  ASSERT_TRUE(value);
  EXPECT_EQ(value->get<std::string>(), "\"\\/\b\f\n\r\t\0\u20AC é"s);
}

TEST(Read, takes_a_scalar_as_a_whole_text) {
  EXPECT_EQ(read("null").value(), nullptr);
  EXPECT_EQ(read("false").value(), false);
  EXPECT_EQ(read(" \"\" ").value(), "");
}

TEST(Read, allows_equal_keys_in_different_objects) {
  EXPECT_TRUE(read(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})"));
}

TEST(Read, takes_exactly_the_depth_that_is_allowed) {
  const ReadOptions three{.max_depth = 3};

  EXPECT_TRUE(read("[{\"a\":[]}]", three));
  const auto deeper = read("[{\"a\":[[]]}]", three);
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().byte_offset, 7U);
  EXPECT_EQ(deeper.error().message, "nested deeper than 3 levels");
}

TEST(Read, rejects_a_million_brackets_at_the_first_too_many) {
  const auto value = read(std::string(1'000'000, '['));

  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().byte_offset, 128U);
}

TEST(Read, takes_a_depth_of_a_hundred_thousand_where_that_is_allowed) {
  const std::string text = std::string(100'000, '[') + std::string(100'000, ']');

  const auto value = read(text, {.max_depth = 100'000});

  ASSERT_TRUE(value);
  EXPECT_EQ(write(*value), text);
}

// A hundred thousand keys, the last one again: linear or worse-than-sorting would take minutes.
TEST(Read, finds_a_duplicate_among_a_hundred_thousand_keys) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) {
    text += "\"key" + std::to_string(i) + "\":0,";
  }
  const std::size_t second = text.size();
  text += "\"key99999\":0}";

  const auto value = read(text);

  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().byte_offset, second);
  EXPECT_EQ(value.error().message,
            "duplicate member \"key99999\" (first at byte " + std::to_string(second - 13) + ")");
}

TEST(Read, keeps_a_number_of_a_million_digits) {
  const std::string digits(1'000'000, '7');

  const auto value = read(digits);

  ASSERT_TRUE(value);
  EXPECT_EQ(number_text(*value), digits);
}

}  // namespace
}  // namespace spec::json
