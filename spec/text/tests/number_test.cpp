#include "spec/text/ascii.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace spec::text {
namespace {

TEST(Number, is_read_whole_or_not_at_all) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<double>("2.5e1"), 25.0);
  for (const char* const text : {"", "+1", " 1", "1 ", "1x", "2147483648"}) {
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  }
}

TEST(Number, of_a_seed_has_64_bits) {
  EXPECT_EQ(seed_error("18446744073709551615"), "");
  EXPECT_EQ(seed_error("18446744073709551616"),
            "must be a whole number from 0 to 18446744073709551615, but is 18446744073709551616");
  EXPECT_NE(seed_error("-1"), "");
}

TEST(Number, whole_between_two) {
  EXPECT_EQ(whole_number_error("64", 1, 64), "");
  EXPECT_EQ(whole_number_error("65", 1, 64), "must be a whole number from 1 to 64, but is 65");
  for (const char* const text : {"0", "1.5", "1e1", "-1", "18446744073709551617", "nan"}) {
    EXPECT_NE(whole_number_error(text, 1, 64), "") << text;
  }
}

TEST(Number, between_two_is_never_nan_or_infinite) {
  EXPECT_EQ(bounds_error("0.01", 0.01, 100'000), "");
  EXPECT_EQ(bounds_error("1e5", 0.01, 100'000), "");
  EXPECT_EQ(bounds_error("nan", 0.01, 100'000), "must be a number from 0.01 to 100000, but is nan");
  for (const char* const text : {"inf", "-inf", "-nan", "0", "100000.1", "1e999", "most"}) {
    EXPECT_NE(bounds_error(text, 0.01, 100'000), "") << text;
  }
}

}  // namespace
}  // namespace spec::text
