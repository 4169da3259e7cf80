#include "spec/document/tests/loading.hpp"
#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace spec::document {
namespace {

struct Block {
  std::string name;
  std::string raw;
  std::string text;
};

void PrintTo(const Block& block, std::ostream* out) {
  *out << block.raw;
}

class YamlBlock : public testing::TestWithParam<Block> {};

TEST_P(YamlBlock, reads_as_yaml_says) {
  Library library;

  const Node root = library.add("test:it", "it", "a: " + GetParam().raw, Format::kYaml);

  EXPECT_EQ(root.find("a").string(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Literal, YamlBlock,
    testing::Values(Block{"lines", "|\n  a\n  b\n", "a\nb\n"},
                    Block{"empty_lines", "|\n\n  a\n\n\n  b\n", "\na\n\n\nb\n"},
                    Block{"deeper_lines", "|\n  a\n    b\n   \n  c\n", "a\n  b\n \nc\n"},
                    Block{"tabs", "|\n  a\n  \tb\t\n", "a\n\tb\t\n"},
                    Block{"comment_in_header", "| # not text\n  # text\n", "# text\n"},
                    Block{"explicit_indentation", "|1\n  a\n b\n", " a\nb\n"},

                    Block{"ends_at_a_comment", "|\n  a\n\n # no text\n", "a\n"},
                    Block{"ends_at_comments", "|\n  a\n\n # no text\n# none\n\n", "a\n"},
                    Block{"nothing", "|\n", ""}, Block{"header_only", "|", ""}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Chomping, YamlBlock,
    testing::Values(Block{"clip", "|\n  a\n\n\n", "a\n"}, Block{"strip", "|-\n  a\n\n\n", "a"},
                    Block{"keep", "|+\n  a\n\n\n", "a\n\n\n"},
                    Block{"keep_after_indentation", "|1+\n a\n\n", "a\n\n"},
                    Block{"strip_before_indentation", "|-1\n a\n", "a"},
                    Block{"clip_without_last_break", "|\n  a", "a"},
                    Block{"keep_without_last_break", "|+\n  a", "a"},
                    Block{"clip_of_empty_lines", "|\n\n  \n", ""},
                    Block{"keep_of_deep_empty_lines", "|+\n    \n  \n", "\n\n"},
                    Block{"only_a_comment_of_the_parent", "|\n\n# no text\n", ""},
                    Block{"keep_of_empty_lines", "|+\n\n  \n", "\n\n"},
                    Block{"strip_of_empty_lines", ">-\n\n\n", ""}),
    tests::kRowNames);

// Source: YAML 1.2.2 §8.1.3, examples 8.10 to 8.12.
INSTANTIATE_TEST_SUITE_P(
    Folded, YamlBlock,
    testing::Values(
        Block{"lines", ">\n  a\n  b\n", "a b\n"}, Block{"empty_line", ">\n  a\n\n  b\n", "a\nb\n"},
        Block{"two_empty_lines", ">\n  a\n\n\n  b\n", "a\n\nb\n"},
        Block{"leading_empty_line", ">\n\n  a\n  b\n", "\na b\n"},
        Block{"deeper_lines_stay", ">\n  a\n    b\n    c\n  d\n", "a\n  b\n  c\nd\n"},
        Block{"tabbed_lines_stay", ">\n  a\n  \tb\n  c\n", "a\n\tb\nc\n"},
        Block{"specification",
              ">\n\n folded\n line\n\n next\n line\n   * bullet\n\n   * list\n   * lines\n\n "
              "last\n line\n",
              "\nfolded line\nnext line\n  * bullet\n\n  * list\n  * lines\n\nlast line\n"},
        Block{"deeper_first_line", ">1\n   a\n b\n", "  a\nb\n"},
        Block{"strip", ">-\n  a\n  b\n\n", "a b"}),
    tests::kRowNames);

TEST(YamlBlockIn, a_document_ends_where_its_parent_goes_on) {
  EXPECT_EQ(loaded("a: |\n  x\n# comment\nb: >-\n\n  y\n  z\n\nc:\n- |2\n    w\n- 1\n"),
            R"({"a":"x\n","b":"\ny z","c":["  w\n",1]})");
  EXPECT_EQ(loaded("a: |+\n  x\n\nb: |+\n  y\n\n\n"), R"({"a":"x\n\n","b":"y\n\n\n"})");
  EXPECT_EQ(loaded("a: |\nb: |+\n\nc: >\n\n"), R"({"a":"","b":"\n","c":""})");
  EXPECT_EQ(loaded("--- >-\n a\n b"), R"("a b")");
  EXPECT_EQ(loaded("a:\n  b: |2\n      c\n"), R"({"a":{"b":"  c\n"}})");
  EXPECT_EQ(loaded("- a: &x !!str | # one | two\n    b > c\n"), R"([{"a":"b > c\n"}])");
  EXPECT_EQ(loaded("a: # is it | or >\n  |\n  b\n"), R"({"a":"b\n"})");
}

TEST(YamlBlockIn, a_document_never_swallows_a_member) {
  EXPECT_EQ(loaded("a:\n  b: |\n  c: d\n"), R"({"a":{"b":"","c":"d"}})");
  EXPECT_EQ(loaded("a:\n  b: |+\n\n  # d\n  c: d\n"), R"({"a":{"b":"\n","c":"d"}})");
}

TEST(YamlBlockIn, a_document_keeps_the_places_after_empty_blocks) {
  Library library;
  const Node root = library.add("test:it", "it", "a:\n  b: |+\n\n  c: d\ne: f\n", Format::kYaml);

  EXPECT_EQ(spot(root.find("a").find("b")), "2:6");
  EXPECT_EQ(spot(root.find("a").find("c")), "4:6");
  EXPECT_EQ(spot(root.find("e")), "5:4");
}

TEST(YamlBlockIn, a_document_may_be_empty_often) {
  std::string text = "a:\n";
  for (int i = 0; i < 101; ++i) {
    text += "  b" + std::to_string(i) + ": |\n";
  }

  EXPECT_THAT(problems(text + "  c: d\n"), testing::IsEmpty());
}

TEST(YamlBlockIn, a_document_starts_with_a_tab_only_where_its_indentation_is_given) {
  EXPECT_EQ(loaded("a: |2\n  \tx\n"), R"({"a":"\tx\n"})");
  EXPECT_THAT(problems("a: |\n  \tx\n"),
              testing::ElementsAre(testing::AllOf(testing::StartsWith("it:2:3: "),
                                                  testing::EndsWith("give the indentation: |2"))));
}

TEST(YamlBlockIn, a_document_needs_alike_indentation) {
  EXPECT_THAT(problems("a:\n  b: |\n      x\n    y\n"), testing::SizeIs(1));
}

}  // namespace
}  // namespace spec::document
