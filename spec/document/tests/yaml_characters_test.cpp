#include "spec/document/yaml_characters.hpp"

#include "spec/document/tests/loading.hpp"
#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace spec::document {
namespace {

struct Text {
  std::string name;
  std::string yaml;
  std::string json;
};

void PrintTo(const Text& text, std::ostream* out) {
  *out << text.yaml;
}

class YamlCharacters : public testing::TestWithParam<Text> {};

TEST_P(YamlCharacters, mean_what_yaml_1_2_says) {
  EXPECT_EQ(loaded(GetParam().yaml), GetParam().json);
}

// Source: YAML 1.2.2 §5.4: no line breaks, unlike in YAML 1.1.
INSTANTIATE_TEST_SUITE_P(Separators, YamlCharacters,
                         testing::Values(Text{"plain", "a: x\u2028y\u2029z\u0085\nb: 1\n",
                                              "{\"a\":\"x\u2028y\u2029z\u0085\",\"b\":1}"},
                                         Text{"quoted", "['x \u2028 y', \"x \u2029 y\"]",
                                              "[\"x \u2028 y\",\"x \u2029 y\"]"},
                                         Text{"literal", "a: |\n  x\u2028y\n",
                                              "{\"a\":\"x\u2028y\\n\"}"},
                                         Text{"comment", "# x\u0085y\na: 1\n", R"({"a":1})"},
                                         Text{"key", "x\u2028y: 1\n", "{\"x\u2028y\":1}"},
                                         Text{"after_a_backslash", "'\\\u2028'", "\"\\\\\u2028\""}),
                         tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(Controls, YamlCharacters,
                         testing::Values(Text{"delete", "x\x7Fy", "\"x\x7Fy\""},
                                         Text{"of_latin_1", "\"x\u0080\u0092\u009F\u00A0y\"",
                                              "\"x\u0080\u0092\u009F\u00A0y\""},
                                         Text{"noncharacters", "x\uFFFE\uFFFF",
                                              "\"x\uFFFE\uFFFF\""}),
                         tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    SurrogatePairs, YamlCharacters,
    testing::Values(Text{"escaped", R"(["\ud83d\ude00", "x\uD83D\uDE00\uD83D\uDE00y"])",
                         "[\"😀\",\"x😀😀y\"]"},
                    Text{"are_no_escapes_elsewhere", "['\\ud83d\\ude00', \\udbff]",
                         R"(["\\ud83d\\ude00","\\udbff"])"},
                    Text{"beside_an_escaped_private_character",
                         R"(["\ud83d\ude00\U0010FE41", "\U0010feff", '\U0010FE41'])",
                         "[\"😀\U0010FE41\",\"\U0010FEFF\",\"\\\\U0010FE41\"]"},
                    Text{"after_a_backslash", R"("[\\ud800-\\udbff]")", R"("[\\ud800-\\udbff]")"}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(QuestionMarks, YamlCharacters,
                         testing::Values(Text{"first_in_flow", "[?a, { ?b: ?c}, '[?d']",
                                              R"(["?a",{"?b":"?c"},"[?d"])"},
                                         Text{"before_a_key", "{? a : 1}", R"({"a":1})"},
                                         Text{"in_text", "a?b: c, ?d\n", R"({"a?b":"c, ?d"})"}),
                         tests::kRowNames);

TEST(YamlCharacters, of_a_key_may_be_any_number_after_a_question_mark) {
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
