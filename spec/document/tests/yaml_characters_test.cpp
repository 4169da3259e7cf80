#include "spec/document/tests/loading.hpp"
#include "spec/document/yaml_events.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::document {
namespace {

struct Text {
  std::string name;
  std::string yaml;
  std::string json;
};

using YamlCharacters = spec::tests::RowTest;

TEST_P(YamlCharacters, mean_what_yaml_1_2_says) {
  const Text& row = GetParam();

  EXPECT_EQ(loaded(row.yaml), row.json);
}

// Source: YAML 1.2.2 §5.4: no line breaks, unlike in YAML 1.1.
const std::vector<Text> kSeparatorsYamlCharacters = {
    {"plain", "a: x\u2028y\u2029z\u0085\nb: 1\n", "{\"a\":\"x\u2028y\u2029z\u0085\",\"b\":1}"},
    {"quoted", "['x \u2028 y', \"x \u2029 y\"]", "[\"x \u2028 y\",\"x \u2029 y\"]"},
    {"literal", "a: |\n  x\u2028y\n", "{\"a\":\"x\u2028y\\n\"}"},
    {"comment", "# x\u0085y\na: 1\n", R"({"a":1})"},
    {"key", "x\u2028y: 1\n", "{\"x\u2028y\":1}"},
    {"after_a_backslash", "'\\\u2028'", "\"\\\\\u2028\""}};

INSTANTIATE_TEST_SUITE_P(Separators, YamlCharacters,
                         testing::ValuesIn(spec::tests::rows(kSeparatorsYamlCharacters)),
                         spec::tests::kRowNames);

const std::vector<Text> kControlsYamlCharacters = {
    {"delete", "x\x7Fy", "\"x\x7Fy\""},
    {"of_latin_1", "\"x\u0080\u0092\u009F\u00A0y\"", "\"x\u0080\u0092\u009F\u00A0y\""},
    {"noncharacters", "x\uFFFE\uFFFF", "\"x\uFFFE\uFFFF\""}};

INSTANTIATE_TEST_SUITE_P(Controls, YamlCharacters,
                         testing::ValuesIn(spec::tests::rows(kControlsYamlCharacters)),
                         spec::tests::kRowNames);

const std::vector<Text> kSurrogatePairsYamlCharacters = {
    {"escaped", R"(["\ud83d\ude00", "x\uD83D\uDE00\uD83D\uDE00y"])", "[\"😀\",\"x😀😀y\"]"},
    {"are_no_escapes_elsewhere", "['\\ud83d\\ude00', \\udbff]", R"(["\\ud83d\\ude00","\\udbff"])"},
    {"beside_an_escaped_private_character",
     R"(["\ud83d\ude00\U0010FE41", "\U0010feff", '\U0010FE41'])",
     "[\"😀\U0010FE41\",\"\U0010FEFF\",\"\\\\U0010FE41\"]"},
    {"after_a_backslash", R"("[\\ud800-\\udbff]")", R"("[\\ud800-\\udbff]")"}};

INSTANTIATE_TEST_SUITE_P(SurrogatePairs, YamlCharacters,
                         testing::ValuesIn(spec::tests::rows(kSurrogatePairsYamlCharacters)),
                         spec::tests::kRowNames);

const std::vector<Text> kQuestionMarksYamlCharacters = {
    {"first_in_flow", "[?a, { ?b: ?c}, '[?d']", R"(["?a",{"?b":"?c"},"[?d"])"},
    {"before_a_key", "{? a : 1}", R"({"a":1})"},
    {"in_text", "a?b: c, ?d\n", R"({"a?b":"c, ?d"})"}};

INSTANTIATE_TEST_SUITE_P(QuestionMarks, YamlCharacters,
                         testing::ValuesIn(spec::tests::rows(kQuestionMarksYamlCharacters)),
                         spec::tests::kRowNames);

const std::vector<Text> kTabsYamlCharacters = {
    {"alone_in_the_first_line", "a: |-\n  \t\n  b\nc: 1\n", R"({"a":"\t\nb","c":1})"},
    {"before_the_first_words", "- |+ # c\r\n\r\n  \tb\r\n  c\r\n", R"(["\n\tb\nc\n"])"},
    {"before_a_comment_behind_a_tab", "a:\n  - |\t# c\n   \t\n   b\n", R"({"a":["\t\nb\n"]})"},
    {"behind_a_tag", "a: !!str |\n  \tb\n", R"({"a":"\tb\n"})"},
    {"of_the_document", "--- |\n \tb\n", R"("\tb\n")"},
    {"that_fold_a_plain_text", "a: b |\n  \tc\n", R"({"a":"b | c"})"}};

INSTANTIATE_TEST_SUITE_P(Tabs, YamlCharacters,
                         testing::ValuesIn(spec::tests::rows(kTabsYamlCharacters)),
                         spec::tests::kRowNames);

TEST(YamlCharacters, a_key_may_have_any_number_after_a_question_mark) {
  const std::string key(1100, 'k');

  EXPECT_EQ(loaded("a: 1\n? " + key + "\n: 2\n"), R"({"a":1,")" + key + R"(":2})");
}

TEST(YamlCharacters, keep_the_places_of_what_follows) {
  Library library;

  const Node root =
      library.add("test:it", "it", "{\"\u2028\\ud83d\\ude00\": \u0085, b: c}", Format::kYaml);

  EXPECT_EQ(spot(root.find("b")), "1:25");
}

TEST(YamlCharacters, leave_most_texts_alone) {
  EXPECT_EQ(with_stand_ins("é: \u00A0\u2030\uFF5E\U0001F600 \\\\ud83d?"), std::nullopt);
}

TEST(YamlCharacters, cannot_be_those_that_the_reader_needs) {
  EXPECT_THAT(problems("a: \U0010FE28"),
              testing::ElementsAre(
                  "it:1:4: the private characters U+10F000 to U+10FFFF are not supported"));
}

}  // namespace
}  // namespace spec::document
