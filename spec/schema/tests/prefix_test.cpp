#include "spec/schema/program.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace spec::schema {
namespace {

int sign(int order) {
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

int order_of(std::string_view left, std::string_view right) {
  const std::uint64_t left_prefix = prefix_of(left);
  const std::uint64_t right_prefix = prefix_of(right);
  return left_prefix == right_prefix  ? sign(compare_long_names(left, right))
         : left_prefix < right_prefix ? -1
                                      : 1;
}

// A name of few letters, the NUL among them, so that names often start alike.
std::string random_name(std::mt19937_64& random) {
  static constexpr std::string_view kLetters("\0ab\xC3", 4);
  std::string name(random() % 2 == 0 ? 0 : 7 + random() % 13, 'a');
  for (std::uint64_t i = random() % 12; i > 0; --i) {
    name += kLetters[random() % kLetters.size()];
  }
  return name;
}

TEST(NamePrefix, orders_names_as_their_bytes_do) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::string left = random_name(random);
    const std::string right = random_name(random);

    ASSERT_EQ(order_of(left, right), sign(left.compare(right)))
        << testing::PrintToString(left) << ' ' << testing::PrintToString(right);
  }
}

TEST(NamePrefix, is_the_first_eight_bytes) {
  EXPECT_EQ(prefix_of(""), 0U);
  EXPECT_EQ(prefix_of("a"), 0x6100000000000000U);
  EXPECT_EQ(prefix_of("abcde"), 0x6162636465000000U);
  EXPECT_EQ(prefix_of("abcdefghij"), 0x6162636465666768U);
}

}  // namespace
}  // namespace spec::schema
