#include "spec/text/markdown.hpp"

#include <gtest/gtest.h>

namespace spec::text {
namespace {

TEST(Markdown, shows_every_character_as_it_is) {
  EXPECT_EQ(escape_markdown("a|b`c<img>\n*x* [y](z) \\ #1 @you $m$ é"),
            R"(a\|b\`c&#60;img&#62; \*x\* \[y\](z) \\ \#1 &#64;you &#36;m&#36; é)");
}

TEST(Markdown, has_tables_of_so_many_rows_and_bytes) {
  const std::vector<std::vector<std::string>> rows{{"1", "2"}, {"3", "4"}, {"5", "6"}};
  const std::string head = "| a | b |\n| --- | --- |\n";

  const auto whole = markdown_table({"a", "b"}, rows);
  const auto two = markdown_table({"a", "b"}, rows, 2);
  const auto short_one = markdown_table({"a", "b"}, rows, 9, head.size() + 12);

  EXPECT_EQ(whole.text, head + "| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n");
  EXPECT_EQ(whole.left_out, 0U);
  EXPECT_EQ(two.text, head + "| 1 | 2 |\n| 3 | 4 |\n");
  EXPECT_EQ(two.left_out, 1U);
  EXPECT_EQ(short_one.text, head + "| 1 | 2 |\n");
  EXPECT_EQ(short_one.left_out, 2U);
}

}  // namespace
}  // namespace spec::text
