#include "spec/json/value.hpp"

#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <vector>

namespace spec::json {
namespace {

using nlohmann::json;

json parsed(std::string_view text) {
  return read(text).value();
}

struct Twins {
  std::string name;
  std::string left;
  std::string right;
  bool equal;
};

using ValueEquality = spec::tests::RowTest;

TEST_P(ValueEquality, holds_for_values_and_hashes) {
  const Twins& row = GetParam();

  const json left = parsed(row.left);
  const json right = parsed(row.right);

  EXPECT_EQ(equal(left, right), row.equal);
  EXPECT_EQ(equal(right, left), row.equal);
  // Different hashes of different values are not promised, but these few must not collide.
  EXPECT_EQ(hash(left) == hash(right), row.equal);
}

const std::vector<Twins> kValueEqualityRows = {
    {"nulls", "null", "null", true},
    {"null_and_false", "null", "false", false},
    {"zero_and_false", "0", "false", false},
    {"one_and_true", "1", "true", false},
    {"number_and_text", "1", "\"1\"", false},
    {"one", "1", "1.0", true},
    {"exact", "1.50", "15e-1", true},
    {"zeros", "0", "-0.0", true},
    {"empty_containers", "[]", "{}", false},
    {"order_of_members", R"({"a":1,"b":2})", R"({"b":2,"a":1})", true},
    {"order_of_elements", "[1,2]", "[2,1]", false},
    {"names", R"({"a":1})", R"({"b":1})", false},
    {"sizes", "[1]", "[1,1]", false},
    {"nesting", "[[1],2]", "[[1,2]]", false},
    {"deep_number", R"([{"a":[1e2]}])", R"([{"a":[100]}])", true},
    {"beyond_doubles", "1e400", "10e399", true},
    {"beyond_doubles_apart", "1e400", "1e401", false},
    {"below_doubles", "1e-400", "0", false},
    {"signs_beyond_doubles", "1e400", "-1e400", false},
    {"of_one_double", "9007199254740993", "9007199254740992", false},
    {"of_one_double_below_zero", "-9007199254740993", "-9007199254740992", false},
    {"large_in_two_spellings", "9007199254740993", "9007199254740993.0", true},
    {"double_in_two_spellings", "18446744073709552000", "1.8446744073709552e19", true},
    {"fractions_of_one_double", "0.1", "0.1000000000000000000001", false},
    {"fraction_with_zeros", "0.1", "0.10000000000000000000000", true},
    {"text_and_its_parts", R"(["a","b"])", R"(["ab",""])", false},
    {"text_of_many_words", R"("abcdefgh")", R"("abcdefghi")", false},
    {"text", R"("é")", R"("\u00e9")", true}};

INSTANTIATE_TEST_SUITE_P(, ValueEquality, testing::ValuesIn(spec::tests::rows(kValueEqualityRows)),
                         spec::tests::kRowNames);

// Numbers as nlohmann has them, which no text makes.
TEST(ValueEqualityOfNumbers, distinguishes_2_53_plus_1_from_2_53) {
  EXPECT_FALSE(equal(9007199254740993, 9007199254740992.0));
  EXPECT_FALSE(equal(std::uint64_t{18446744073709551615U}, -1));
  EXPECT_FALSE(equal(parsed("1e400"), parsed("1e401")));
}

TEST(Write, is_compact_and_in_the_order_of_the_value) {
  EXPECT_EQ(write(parsed(R"( { "b" : [ ] , "a" : { } , "c" : [ 1 , { "d" : null } , true ] } )")),
            R"({"a":{},"b":[],"c":[1,{"d":null},true]})");
}

TEST(Write, keeps_the_text_of_exact_numbers) {
  EXPECT_EQ(write(parsed("[1.50,0.00,1e2,-0,12345678901234567890123,0.07]")),
            "[1.50,0.00,1e2,-0,12345678901234567890123,0.07]");
}

TEST(Write, escapes_what_json_demands_and_nothing_else) {
  EXPECT_EQ(write(std::string("\"\\/\b\f\n\r\t\0\x1f\x7f é😀", 18)),
            "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f é😀\"");
}

TEST(Write, puts_the_replacement_character_for_each_byte_that_is_not_utf8) {
  EXPECT_EQ(write("a\xFF"
                  "b\xE2\x82"),
            "\"a\uFFFD"
            "b\uFFFD\uFFFD\"");
  EXPECT_EQ(write(json{{"\xC0", 1}}), "{\"\uFFFD\":1}");
}

TEST(Write, has_null_for_what_no_text_has) {
  EXPECT_EQ(write(json::array({std::numeric_limits<double>::quiet_NaN()})), "[null]");
}

TEST(WritePretty, indents_by_level) {
  EXPECT_EQ(write_pretty(parsed(R"({"a":[1,{"b":[]}],"c":{}})")),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}");
  EXPECT_EQ(write_pretty(parsed("[1]"), 0), "[\n1\n]");
  EXPECT_EQ(write_pretty(parsed("1.50")), "1.50");
}

// Recursion would end the program.
TEST(ValueDepth, is_bounded_by_memory_alone) {
  const std::string text = std::string(200'000, '[') + std::string(200'000, ']');
  const auto deep = read(text, {.max_depth = 200'000});
  const auto twin = read(text, {.max_depth = 200'000});

  EXPECT_TRUE(equal(*deep, *twin));
  EXPECT_EQ(hash(*deep), hash(*twin));
  EXPECT_EQ(write(*deep), text);
}

}  // namespace
}  // namespace spec::json
