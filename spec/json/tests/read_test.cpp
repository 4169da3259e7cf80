#include "spec/json/read.hpp"

#include "spec/json/number.hpp"
#include "spec/json/value.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace spec::json {
namespace {

TEST(Read, keeps_every_kind_of_value) {
  const auto value = read(R"( {"a":[1,-2,1.50,"x\u00e9\ud83d\ude00"],"b":{"c":null,"d":true}} )");

  ASSERT_TRUE(value);
  EXPECT_EQ(write(*value), R"({"a":[1,-2,1.50,"xé😀"],"b":{"c":null,"d":true}})");
}

TEST(Read, names_both_places_of_a_duplicate_key) {
  const auto value = read(R"({"a":{"b":1},"b":2,"a":3})");

  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().byte_offset, 19U);
  EXPECT_EQ(value.error().message, "must be a new member name but is that at byte 1 again");
}

}  // namespace
}  // namespace spec::json
