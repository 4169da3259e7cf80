#include "spec/json/read.hpp"

#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace spec::json {
namespace {

using std::string_literals::operator""s;

struct Rejected {
  std::string name;
  std::string text;
  std::size_t byte_offset;
  std::string message;
};

void PrintTo(const Rejected& rejected, std::ostream* out) {
  *out << rejected.text;
}

class ReadRejects : public testing::TestWithParam<Rejected> {};

TEST_P(ReadRejects, with_offset_and_cause) {
  const Rejected& expected = GetParam();

  const auto value = read(expected.text);

  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().byte_offset, expected.byte_offset);
  EXPECT_EQ(value.error().message, expected.message);
}

INSTANTIATE_TEST_SUITE_P(
    , ReadRejects,
    testing::Values(
        Rejected{"nothing", "", 0, "must be a JSON value, but is the end of the text"},
        Rejected{"only_blanks", " \n", 2, "must be a JSON value, but is the end of the text"},
        Rejected{"byte_order_mark", "\xEF\xBB\xBF{}", 0,
                "must be JSON, but starts with a byte order mark"},
        Rejected{"nul_after_the_value", "{\"a\":1}\0garbage"s, 7,
                "must be the end of the text, but is byte 0x00"},
        Rejected{"second_value", "1 2", 2, "must be the end of the text, but is '2'"},
        Rejected{"not_a_number", "[NaN]", 1, "must be a JSON value, but is 'N'"},
        Rejected{"infinity", "-Infinity", 1, "must be a digit, but is 'I'"},
        Rejected{"plus_sign", "+1", 0, "must be a JSON value, but is '+'"},
        Rejected{"leading_zero", "01", 1,
                "must be a number without a leading zero, but is followed by a digit"},
        Rejected{"point_without_digit", "1.", 2, "must be a digit, but is the end of the text"},
        Rejected{"huge_exponent", "1e1234567890123456789", 2,
                "must be an exponent of at most 18 digits, but has 19"},
        Rejected{"wrong_literal", "truth", 3, "must be 'e' of 'true', but is 't'"},
        Rejected{"trailing_comma_in_array", "[1,]", 3, "must be a JSON value, but is ']'"},
        Rejected{"trailing_comma_in_object", R"({"a":1,})", 7, "must be a member name, but is '}'"},
        Rejected{"no_colon", R"({"a" 1})", 5, "must be ':', but is '1'"},
        Rejected{"wrong_bracket", "[1}", 2, "must be ',' or ']', but is '}'"},
        Rejected{"open_array", "[1", 2, "must be ',' or ']', but is the end of the text"},
        Rejected{"open_string", "\"abc", 4,
                "must be a string that ends with '\"', but the text ends"},
        Rejected{"raw_control", "\"a\nb\"", 2,
                "must be an escaped control character, but is byte 0x0A"},
        Rejected{"unknown_escape", R"("\x41")", 2,
                "must be one of \"\\/bfnrtu after '\\', but is 'x'"},
        Rejected{"short_unicode_escape", R"("\u12")", 5, "must be a hexadecimal digit, but is '\"'"},
        Rejected{"lone_high_surrogate", R"("a\ud800b")", 2,
                "must be a character, but is half of a surrogate pair"},
        Rejected{"lone_low_surrogate", R"("\udc00")", 1,
                "must be a character, but is half of a surrogate pair"},
        Rejected{"two_high_surrogates", R"("\ud800\ud800")", 1,
                "must be a character, but is half of a surrogate pair"},
        Rejected{"overlong_slash", "\"\xC0\xAF\"", 1, "must be UTF-8, but is byte 0xC0"},
        Rejected{"surrogate_in_utf8", "\"\xED\xA0\x80\"", 1, "must be UTF-8, but is byte 0xED"},
        Rejected{"cut_sequence_after_escape", "\"\\n\xE2\x82\"", 3,
                "must be UTF-8, but is byte 0xE2"},
        Rejected{"invalid_utf8_in_key", "{\"\xFF\":1}", 2, "must be UTF-8, but is byte 0xFF"},
        Rejected{"duplicate_key", R"({"a":{"b":1},"b":2,"a":3})", 19,
                "must be a new member name, but is that at byte 1 again"},
        Rejected{"duplicate_by_escape", R"([{"a":1,"\u0061":2}])", 8,
                "must be a new member name, but is that at byte 2 again"}),
    tests::kRowNames);

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

TEST(Read, tells_equal_keys_apart_by_their_object) {
  EXPECT_TRUE(read(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})"));
}

TEST(Read, takes_exactly_the_depth_that_is_allowed) {
  const ReadOptions three{.max_depth = 3};

  EXPECT_TRUE(read("[{\"a\":[]}]", three));
  const auto deeper = read("[{\"a\":[[]]}]", three);
  ASSERT_FALSE(deeper);
  EXPECT_EQ(deeper.error().byte_offset, 7U);
  EXPECT_EQ(deeper.error().message, "must be nested at most 3 deep, but is deeper");
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
  EXPECT_EQ(value.error().message, "must be a new member name, but is that at byte " +
                                       std::to_string(second - 13) + " again");
}

TEST(Read, keeps_a_number_of_a_million_digits) {
  const std::string digits(1'000'000, '7');

  const auto value = read(digits);

  ASSERT_TRUE(value);
  EXPECT_EQ(number_text(*value), digits);
}

}  // namespace
}  // namespace spec::json
