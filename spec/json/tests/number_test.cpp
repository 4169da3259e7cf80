#include "spec/json/number.hpp"

#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace spec::json {
namespace {

// Every text comes back as it was written; `native` says whether nlohmann holds it by itself, which
// generated values and other libraries rely on for everyday numbers.
struct Spelling {
  std::string name;
  std::string text;
  bool native;
};

using NumberText = spec::tests::RowTest;

TEST_P(NumberText, stays_as_it_was_written) {
  const Spelling& row = GetParam();

  const auto number = make_number(row.text);

  EXPECT_EQ(number_text(number), row.text);
  EXPECT_EQ(type_of(number), Type::kNumber);
  EXPECT_EQ(number.is_number(), row.native);
}

const std::vector<Spelling> kNumberTextRows = {
    {"zero", "0", true},
    {"negative_zero", "-0", false},
    {"negative_zero_point", "-0.0", true},
    {"one_point_zero", "1.0", true},
    {"price", "1.50", false},
    {"zero_cents", "0.00", false},
    {"cents", "0.07", true},
    {"exponent", "1e2", false},
    {"capital_exponent", "1E2", false},
    {"hundred", "100.0", true},
    {"tiny", "0.000001", true},
    {"tinier", "1e-7", true},
    {"padded_exponent", "1e-07", false},
    {"large", "100000000000000000000.0", true},
    {"larger", "1e+21", true},
    {"unsigned_exponent", "1e21", false},
    {"int64_min", "-9223372036854775808", true},
    {"below_int64", "-9223372036854775809", false},
    {"uint64_max", "18446744073709551615", true},
    {"above_uint64", "18446744073709551616", false},
    {"seventeen_digits", "0.30000000000000004", true},
    {"more_than_a_double", "0.300000000000000041", false},
    {"beyond_doubles", "1e400", false},
    {"below_doubles", "1e-400", false},
    {"smallest_double", "5e-324", true}};

INSTANTIATE_TEST_SUITE_P(, NumberText, testing::ValuesIn(spec::tests::rows(kNumberTextRows)),
                         spec::tests::kRowNames);

TEST(NumberTextOf, native_doubles_is_the_shortest) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1.0), "1.0");
  EXPECT_EQ(number_text(1e21), "1e+21");
  EXPECT_EQ(number_text(1.5e-9), "1.5e-9");
  EXPECT_EQ(number_text(123456.789), "123456.789");
}

TEST(NumberTextOf, a_number_that_no_text_has_is_null) {
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "null");
}

// The bits of any double come back from its text, and the text from itself.
TEST(NumberTextOf, any_double_reads_back_as_the_same_double) {
  std::mt19937_64 random(20260101);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) {
      const std::string text = number_text(value);
      const auto again = make_number(text);
      ASSERT_TRUE(again.is_number_float()) << text;
      ASSERT_EQ(again.get<double>(), value) << text;
    }
  }
}

struct Order {
  std::string name;
  std::string low;
  std::string high;
};

using NumberOrder = spec::tests::RowTest;

TEST_P(NumberOrder, is_exact_both_ways) {
  const Order& row = GetParam();

  const auto low = make_number(row.low);
  const auto high = make_number(row.high);

  EXPECT_EQ(compare_numbers(low, high), std::strong_ordering::less);
  EXPECT_EQ(compare_numbers(high, low), std::strong_ordering::greater);
}

const std::vector<Order> kNumberOrderRows = {
    {"small", "1", "2"},
    {"negative", "-2", "-1"},
    {"signs", "-1", "1"},
    {"around_zero", "-0.1", "0"},
    {"beyond_2_53", "9007199254740992", "9007199254740993"},
    {"beyond_2_53_as_double", "9007199254740992.0", "9007199254740993"},
    {"minus_one_and_uint64_max", "-1", "18446744073709551615"},
    {"int_and_fraction", "1", "1.5"},
    {"fraction_and_int", "1.999999999999999999999", "2"},
    {"doubles", "0.1", "0.2"},
    {"trailing_digit", "0.30000000000000004", "0.300000000000000041"},
    {"huge", "123456789012345678901234567890", "123456789012345678901234567891"},
    {"huge_exponents", "1e999999998", "1e999999999"},
    {"huge_negative", "-1e999999999", "-1e999999998"},
    {"tiny_exponents", "1e-999999999", "1e-999999998"},
    {"tiny_and_zero", "0", "1e-999999999"}};

INSTANTIATE_TEST_SUITE_P(, NumberOrder, testing::ValuesIn(spec::tests::rows(kNumberOrderRows)),
                         spec::tests::kRowNames);

struct Pair {
  std::string name;
  std::string left;
  std::string right;
};

using NumberEquality = spec::tests::RowTest;

TEST_P(NumberEquality, is_of_values_not_spellings) {
  const Pair& row = GetParam();

  EXPECT_EQ(compare_numbers(make_number(row.left), make_number(row.right)),
            std::strong_ordering::equal);
}

const std::vector<Pair> kNumberEqualityRows = {
    {"one", "1", "1.0"},
    {"exponent", "100", "1e2"},
    {"negative_exponent", "0.01", "1e-2"},
    {"zeros", "0", "-0"},
    {"zero_point", "0.000", "-0.0"},
    {"zero_exponent", "0", "0e99"},
    {"price", "1.5", "1.50"},
    {"two_53", "9007199254740992", "9007199254740992.0"},
    {"two_53_and_1", "9007199254740993", "9007199254740993.00"},
    {"huge", "1e30", "1000000000000000000000000000000"},
    {"huge_exponent", "10e999999998", "1e999999999"},
    {"int64_min", "-9223372036854775808", "-9223372036854775808.0"}};

INSTANTIATE_TEST_SUITE_P(, NumberEquality,
                         testing::ValuesIn(spec::tests::rows(kNumberEqualityRows)),
                         spec::tests::kRowNames);

TEST(NumberOrderOf, native_doubles_takes_them_as_their_shortest_decimal) {
  EXPECT_EQ(compare_numbers(0.07, make_number("0.070")), std::strong_ordering::equal);
  EXPECT_EQ(compare_numbers(0.1 + 0.2, make_number("0.3")), std::strong_ordering::greater);
  EXPECT_EQ(compare_numbers(1, 1.0), std::strong_ordering::equal);
  EXPECT_EQ(compare_numbers(-1, std::uint64_t{18446744073709551615U}), std::strong_ordering::less);
}

struct Multiple {
  std::string name;
  std::string number;
  std::string divisor;
  bool expected;
};

using NumberMultiple = spec::tests::RowTest;

TEST_P(NumberMultiple, is_exact) {
  const Multiple& row = GetParam();

  EXPECT_EQ(is_multiple_of(make_number(row.number), make_number(row.divisor)), row.expected);
}

const std::vector<Multiple> kNumberMultipleRows = {
    {"ints", "6", "3", true},
    {"not_ints", "7", "3", false},
    {"negative", "-6", "3", true},
    {"zero", "0", "0.1", true},
    {"cents", "19.99", "0.01", true},
    {"sevenths_of_cents", "0.07", "0.01", true},
    {"not_cents", "0.075", "0.01", false},
    {"four_places", "99999999999999.0", "0.0001", true},
    {"four_places_and_half", "1234567.12345", "0.0001", false},
    {"fifteen_digits", "99999999999.9999", "0.3", false},
    {"negative_cents", "-3.33", "1.11", true},
    {"half", "1.5", "0.5", true},
    {"int_by_fraction", "35", "1.5", false},
    {"three_by_one_and_a_half", "3", "1.5", true},
    {"tiny_divisor", "12391239123", "1e-8", true},
    {"huge_by_half", "1e308", "0.5", true},
    {"huge_exponent", "1e999999999", "7", false},
    {"huge_exponent_by_power_of_two", "1e999999999", "1024", true},
    {"huge_exponent_with_factor", "7e999999999", "7", true},
    {"tiny_number", "1e-999999999", "1", false},
    {"both_tiny", "21e-999999999", "7e-999999999", true},
    {"long_number", "123456789012345678901234567890", "10", true},
    {"long_by_nine", "123456789012345678901234567890", "9", true},
    {"long_by_eleven", "123456789012345678901234567890", "11", false},
    {"long_by_itself", "123456789012345678901234567891", "123456789012345678901234567891", true},
    {"product_of_longs", "121932631137021795226185032733622923332237463801111263526900",
     "123456789012345678901234567890", true},
    {"product_and_one", "121932631137021795226185032733622923332237463801111263526901",
     "123456789012345678901234567890", false},
    {"power_by_long_power", "1e30", "931322574615478515625", true},
    {"power_by_too_long_power", "1e29", "931322574615478515625", false},
    {"eighteen_digit_divisor", "999999999999999999000", "999999999999999999", true},
    {"nineteen_digit_divisor", "9999999999999999999000", "9999999999999999999", true}};

INSTANTIATE_TEST_SUITE_P(, NumberMultiple,
                         testing::ValuesIn(spec::tests::rows(kNumberMultipleRows)),
                         spec::tests::kRowNames);

TEST(NumberMultipleOf, a_million_digits_takes_no_longer_than_reading_them) {
  const std::string digits(1'000'000, '9');

  EXPECT_TRUE(is_multiple_of(make_number(digits), 9));
  EXPECT_FALSE(is_multiple_of(make_number(digits), 7919));
}

TEST(NumberInteger, looks_at_the_value_only) {
  for (const std::string_view text : {"0", "-0", "1", "1.0", "1e2", "1e999999999", "0e-5",
                                      "12345678901234567890123", "9007199254740993.0"}) {
    EXPECT_TRUE(is_integer(make_number(text))) << text;
  }
  for (const std::string_view text :
       {"0.5", "15e-2", "1e-999999999", "1.000000000000000000000001", "123456789012345678901.5"}) {
    EXPECT_FALSE(is_integer(make_number(text))) << text;
  }
  EXPECT_FALSE(is_integer("1"));
}

TEST(NumberToInt64, takes_every_spelling_in_range) {
  EXPECT_EQ(to_int64(make_number("42")), 42);
  EXPECT_EQ(to_int64(make_number("42.0")), 42);
  EXPECT_EQ(to_int64(make_number("4.2e1")), 42);
  EXPECT_EQ(to_int64(make_number("-0")), 0);
  EXPECT_EQ(to_int64(make_number("9223372036854775807.0")), INT64_MAX);
  EXPECT_EQ(to_int64(make_number("-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(to_int64(make_number("9223372036854775808")), std::nullopt);
  EXPECT_EQ(to_int64(make_number("1.5")), std::nullopt);
  EXPECT_EQ(to_int64(make_number("1e999999999")), std::nullopt);
  EXPECT_EQ(to_int64("42"), std::nullopt);
}

TEST(NumberKey, is_one_for_a_number_however_it_is_written) {
  EXPECT_EQ(number_key(make_number("3")), "3");
  EXPECT_EQ(number_key(make_number("3.00")), "3");
  EXPECT_EQ(number_key(make_number("3e2")), "300");
  EXPECT_EQ(number_key(make_number("1.50")), "1.5");
  EXPECT_EQ(number_key(make_number("15e-1")), "1.5");
  EXPECT_EQ(number_key(make_number("-0.0250")), "-0.025");
  EXPECT_EQ(number_key(make_number("18446744073709551615")), "18446744073709551615");
  EXPECT_EQ(number_key(make_number("18446744073709551616")), "18446744073709551616");
  EXPECT_EQ(number_key(make_number("18446744073709551616.0")), "18446744073709551616");
  EXPECT_EQ(number_key(make_number("18446744073709551617")), "18446744073709551617");
  EXPECT_EQ(number_key(make_number("1E20")), "100000000000000000000");
  EXPECT_EQ(number_key(make_number("1E+400")), "1e400");
  EXPECT_EQ(number_key(make_number("10e399")), "1e400");
  EXPECT_EQ(number_key(make_number("-12.0e-400")), "-12e-400");
}

TEST(NumberToDouble, is_the_nearest) {
  EXPECT_EQ(to_double(make_number("1.50")), 1.5);
  EXPECT_EQ(to_double(make_number("1e400")), std::numeric_limits<double>::infinity());
  EXPECT_EQ(to_double(make_number("-1e400")), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(to_double(make_number("1e-400")), 0.0);
  EXPECT_EQ(to_double(7), 7.0);
}

TEST(NumberTextIs, distinguished_from_other_text) {
  for (const std::string_view text : {"0", "-1", "1.5", "1e5", "1E-5"}) {
    EXPECT_TRUE(is_number_text(text)) << text;
  }
  for (const std::string_view text : {"", "-", "+1", "01", "1.", ".5", "1e", " 1", "1 ", "0x1F",
                                      "NaN", "1e1234567890123456789"}) {
    EXPECT_FALSE(is_number_text(text)) << text;
  }
}

}  // namespace
}  // namespace spec::json
