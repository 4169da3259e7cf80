#include "spec/document/tests/loading.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::document {
namespace {

struct Block {
  std::string name;
  std::string raw;
  std::string text;
};

using YamlBlock = spec::tests::RowTest;

TEST_P(YamlBlock, reads_as_yaml_says) {
  const Block& row = GetParam();

  Library library;

  const Node root = library.add("test:it", "it", "a: " + row.raw, Format::kYaml);

  EXPECT_EQ(root.find("a").string(), row.text);
}

const std::vector<Block> kLiteralYamlBlock = {
    {"lines", "|\n  a\n  b\n", "a\nb\n"},
    {"empty_lines", "|\n\n  a\n\n\n  b\n", "\na\n\n\nb\n"},
    {"deeper_lines", "|\n  a\n    b\n   \n  c\n", "a\n  b\n \nc\n"},
    {"tabs", "|\n  a\n  \tb\t\n", "a\n\tb\t\n"},
    {"comment_in_header", "| # not text\n  # text\n", "# text\n"},
    {"explicit_indentation", "|1\n  a\n b\n", " a\nb\n"},

    {"ends_at_a_comment", "|\n  a\n\n # no text\n", "a\n"},
    {"ends_at_comments", "|\n  a\n\n # no text\n# none\n\n", "a\n"},
    {"nothing", "|\n", ""},
    {"header_only", "|", ""}};

INSTANTIATE_TEST_SUITE_P(Literal, YamlBlock,
                         testing::ValuesIn(spec::tests::rows(kLiteralYamlBlock)),
                         spec::tests::kRowNames);

const std::vector<Block> kChompingYamlBlock = {
    {"clip", "|\n  a\n\n\n", "a\n"},
    {"strip", "|-\n  a\n\n\n", "a"},
    {"keep", "|+\n  a\n\n\n", "a\n\n\n"},
    {"keep_after_indentation", "|1+\n a\n\n", "a\n\n"},
    {"strip_before_indentation", "|-1\n a\n", "a"},
    {"clip_without_last_break", "|\n  a", "a"},
    {"keep_without_last_break", "|+\n  a", "a"},
    {"clip_of_empty_lines", "|\n\n  \n", ""},
    {"keep_of_deep_empty_lines", "|+\n    \n  \n", "\n\n"},
    {"only_a_comment_of_the_parent", "|\n\n# no text\n", ""},
    {"keep_of_empty_lines", "|+\n\n  \n", "\n\n"},
    {"strip_of_empty_lines", ">-\n\n\n", ""}};

INSTANTIATE_TEST_SUITE_P(Chomping, YamlBlock,
                         testing::ValuesIn(spec::tests::rows(kChompingYamlBlock)),
                         spec::tests::kRowNames);

// Source: YAML 1.2.2 §8.1.3, examples 8.10 to 8.12.
const std::vector<Block> kFoldedYamlBlock = {
    {"lines", ">\n  a\n  b\n", "a b\n"},
    {"empty_line", ">\n  a\n\n  b\n", "a\nb\n"},
    {"two_empty_lines", ">\n  a\n\n\n  b\n", "a\n\nb\n"},
    {"leading_empty_line", ">\n\n  a\n  b\n", "\na b\n"},
    {"deeper_lines_stay", ">\n  a\n    b\n    c\n  d\n", "a\n  b\n  c\nd\n"},
    {"tabbed_lines_stay", ">\n  a\n  \tb\n  c\n", "a\n\tb\nc\n"},
    {"specification",
     ">\n\n folded\n line\n\n next\n line\n   * bullet\n\n   * list\n   * lines\n\n "
     "last\n line\n",
     "\nfolded line\nnext line\n  * bullet\n\n  * list\n  * lines\n\nlast line\n"},
    {"deeper_first_line", ">1\n   a\n b\n", "  a\nb\n"},
    {"strip", ">-\n  a\n  b\n\n", "a b"}};

INSTANTIATE_TEST_SUITE_P(Folded, YamlBlock, testing::ValuesIn(spec::tests::rows(kFoldedYamlBlock)),
                         spec::tests::kRowNames);

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

TEST(YamlBlockIn, a_document_is_folded_from_a_tab_on_only_where_its_indentation_is_given) {
  EXPECT_EQ(loaded("a: >2\n  \tx\n"), R"({"a":"\tx\n"})");
  EXPECT_THAT(problems("a: >\n  \tx\n"),
              testing::ElementsAre(testing::AllOf(testing::StartsWith("it:2:3: "),
                                                  testing::EndsWith("give the indentation: >2"))));
}

TEST(YamlBlockIn, a_document_needs_alike_indentation) {
  EXPECT_THAT(problems("a:\n  b: |\n      x\n    y\n"), testing::SizeIs(1));
}

}  // namespace
}  // namespace spec::document
