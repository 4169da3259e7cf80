#include "spec/document/document.hpp"
#include "spec/document/library.hpp"

#include <gtest/gtest.h>

namespace spec::document {
namespace {

TEST(NearestBelow, follows_a_pointer_as_far_as_it_leads) {
  Library library;
  const Node root = library.add("test:it", "it", R"({"a": [1, {"b/c": 2}]})", Format::kJson);

  EXPECT_EQ(nearest_below(root, "/a/1/b~1c").pointer(), "/a/1/b~1c");
  EXPECT_EQ(nearest_below(root, "/a/7/x").pointer(), "/a");
  EXPECT_EQ(nearest_below(root, "").pointer(), "");
  EXPECT_EQ(nearest_below(root, "no pointer").pointer(), "");
}

TEST(Step, is_to_a_member_or_an_element) {
  Library library;
  const Node root = library.add("test:it", "it", R"({"0": [1]})", Format::kJson);

  EXPECT_EQ(step(root, "0").pointer(), "/0");
  EXPECT_EQ(step(step(root, "0"), "0").pointer(), "/0/0");
  EXPECT_FALSE(step(step(root, "0"), "00"));
  EXPECT_FALSE(step(root, "1"));
}

}  // namespace
}  // namespace spec::document
