#include "spec/text/ascii.hpp"
#include "spec/text/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace spec::text {
namespace {

TEST(RandomHex, has_so_many_digits_and_others_at_each_call) {
  const std::string text = random_hex(24);

  EXPECT_EQ(text.size(), 24U);
  EXPECT_TRUE(std::ranges::all_of(text, is_hex_digit)) << text;
  EXPECT_NE(text, random_hex(24));
}

}  // namespace
}  // namespace spec::text
