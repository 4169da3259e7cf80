#include "spec/document/load.hpp"
#include "spec/document/tests/loading.hpp"
#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace spec::document {
namespace {

using std::string_literals::operator""s;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

struct Rejected {
  std::string name;
  std::string yaml;
  std::vector<std::string> problems;
};

void PrintTo(const Rejected& rejected, std::ostream* out) {
  *out << rejected.yaml;
}

class YamlDocumentRejects : public testing::TestWithParam<Rejected> {};

TEST_P(YamlDocumentRejects, with_place_and_cause) {
  EXPECT_THAT(problems(GetParam().yaml), ElementsAreArray(GetParam().problems));
}

INSTANTIATE_TEST_SUITE_P(
    Text, YamlDocumentRejects,
    testing::Values(
        Rejected{"nothing", "", {"it:1:1: must hold a value, but is empty"}},
        Rejected{"only_a_comment", "# nothing\n", {"it:1:1: must hold a value, but is empty"}},
        Rejected{"nul", "a: 1\nb: \0c"s, {"it:2:4: must be a printable character, but is byte 0x00"}},
        Rejected{"escape_byte",
                "a: \x1b[0m",
                {"it:1:4: must be a printable character, but is byte 0x1B"}},
        Rejected{"invalid_utf8",
                "é: \xFF",
                {"it:1:4: must be UTF-8, but is byte 0xFF: save the file as UTF-8"}},
        Rejected{"utf16",
                "\xFF\xFE"
                "a\0"s,
                {"it:1:1: must be UTF-8, but is byte 0xFF: save the file as UTF-8"}},
        Rejected{"second_document",
                "a: 1\n---\nb: 2\n",
                {"it:2:1: must be one document, but a second one starts"}},
        Rejected{"second_document_after_an_end",
                "a: 1\n...\nb: 2\n",
                {"it:3:1: must be YAML, but is not: did not find expected <document start>; a file "
                 "is one document: check the indentation"}},
        Rejected{"yaml_1_1",
                "%YAML 1.1\n---\na: no\n",
                {"it:1:1: must be YAML 1.2, but its %YAML directive says 1.1; write %YAML 1.2, or "
                 "leave the line out"}},
        Rejected{"yaml_2_0",
                "%YAML 2.0\n---\na: no\n",
                {"it:1:1: must be YAML, but is not: found incompatible YAML document; write %YAML "
                 "1.2, or leave the line out"}},
        Rejected{"open_quote",
                "a: 1\nb: \"no end\nc: 2\n",
                {"it:4:1: must be YAML, but is not: found unexpected end of stream while scanning a "
                 "quoted scalar that starts at line 2, column 4; close the quote that starts "
                 "there"}},
        Rejected{"open_bracket",
                "a: [1\n",
                {"it:2:1: must be YAML, but is not: did not find expected ',' or ']' while parsing "
                 "a flow sequence that starts at line 1, column 4"}},
        Rejected{"tab_as_indentation",
                "a:\n\tb: 1\n",
                {"it:2:1: must be YAML, but is not: found character that cannot start any token "
                 "while scanning for the next token; indent with spaces, quote a text that starts "
                 "with %, @ or `"}}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Keys, YamlDocumentRejects,
    testing::Values(
        Rejected{"duplicates",
                "a: 1\nb: {c: 1, c: 2}\na: 2\n",
                {"it:2:11: must be a new key, but is that of line 2, column 5 again [/b/c]",
                 "it:3:1: must be a new key, but is that of line 1, column 1 again [/a]"}},
        Rejected{"duplicate_in_other_spelling",
                "200: a\n'200': b\n",
                {"it:2:1: must be a new key, but is that of line 1, column 1 again [/200]"}},
        Rejected{"empty",
                "a: 1\n&b:\n  c: 2\n",
                {"it:2:1: must be a key, but is empty: an anchor takes no ':', and the empty key is "
                 "\"\""}},
        Rejected{"two_on_one_line",
                "a: b: c\n",
                {"it:1:5: must be YAML, but is not: mapping values are not allowed in this context; "
                 "quote a text that has \": \" in it"}},
        Rejected{"without_a_colon",
                "a: 1\nb\n",
                {"it:3:1: must be YAML, but is not: could not find expected ':' while scanning a "
                 "simple key that starts at line 2, column 1; a key needs \": \" after it, a text "
                 "of several lines more indentation"}},
        Rejected{"too_long",
                "a: 1\n" + std::string(1100, 'k') + ": 2\n",
                {"it:2:1101: must be YAML, but is not: could not find expected ':' while scanning a "
                 "simple key that starts at line 2, column 1; a key of more than 1024 characters "
                 "needs \"? \" before it, and its "
                 "\": \" at the start of the next line"}},
        Rejected{"too_long_in_quotes",
                "'" + std::string(1100, 'k') + "': 2\n",
                {"it:1:1103: must be YAML, but is not: mapping values are not allowed in this "
                 "context; a key of more than 1024 characters needs \"? \" before it, and its "
                 "\": \" at the start of the next line"}},
        Rejected{"sequence", "? [a]\n: 1\n", {"it:1:3: must be a scalar key, but is a sequence"}},
        Rejected{"mapping", "{{a: b}: c}", {"it:1:2: must be a scalar key, but is a mapping"}},
        Rejected{"alias_of_a_collection",
                "a: &x [1]\n*x : 2\n",
                {"it:2:1: must be a scalar key, but is an alias of a collection"}}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Values, YamlDocumentRejects,
    testing::Values(
        Rejected{
            "not_numbers",
            "[.inf, 1, .nan]",
            {"it:1:2: must be a number that JSON can hold, but is .inf; quote it if it is text [/0]",
             "it:1:11: must be a number that JSON can hold, but is .nan; quote it if it is text "
             "[/2]"}},
        Rejected{"local_tag",
                "a: !secret x\n",
                {"it:1:4: must be a tag of the core schema (!!str, !!int, !!float, !!bool, !!null, "
                 "!!map, !!seq), but is !secret [/a]"}},
        Rejected{"timestamp",
                "!!timestamp 2025-08-04",
                {"it:1:1: must be a tag of the core schema (!!str, !!int, !!float, !!bool, !!null, "
                 "!!map, !!seq), but is !!timestamp"}},
        Rejected{"wrong_int",
                "[!!int 1.5, !!int a]",
                {"it:1:2: must be !!int, but is 1.5 [/0]", "it:1:13: must be !!int, but is a [/1]"}},
        Rejected{"wrong_collection",
                "a: !!map [1]\nb: !!set {c}\n",
                {"it:1:4: must be !!seq, but is tagged !!map [/a]",
                 "it:2:4: must be !!map, but is tagged !!set [/b]"}}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Aliases, YamlDocumentRejects,
    testing::Values(
        Rejected{"inside_what_is_merged",
                "a:\n  <<: {b: *x}\n",
                {"it:2:11: must name an anchor above it, but no &x is there [/a]"}},
        Rejected{"inside_what_is_merged_and_empty",
                "<<: {'': *x}\n",
                {"it:1:10: must name an anchor above it, but no &x is there"}},
        Rejected{"value_in_what_is_merged",
                "a: {<<: {b: .inf}}\n",
                {"it:1:13: must be a number that JSON can hold, but is .inf; quote it if it is text "
                 "[/a/b]"}},

        Rejected{"unknown",
                "a: 1\nb: *x\n",
                {"it:2:4: must name an anchor above it, but no &x is there"}},
        Rejected{"inside_itself",
                "a: &x [1, *x]\n",
                {"it:1:11: must name a finished node, but names one that it is inside [/a]"}},
        Rejected{"merge_of_itself",
                "a: &x {<<: *x}\n",
                {"it:1:12: must name a finished node, but names one that it is inside [/a]"}},
        Rejected{
            "merge_of_a_scalar",
            "a: {<<: 1, b: 2}\n",
            {"it:1:5: must merge a mapping or a list of mappings, but merges something else [/a]"}},
        Rejected{
            "merge_of_a_list_of_scalars",
            "a: {<<: [{c: 1}, 2]}\n",
            {"it:1:5: must merge a mapping or a list of mappings, but merges something else [/a]"}},
        Rejected{"two_merges",
                "a: &x {b: 1}\nc:\n  <<: *x\n  <<: *x\n",
                {"it:4:3: must be the only '<<' of its mapping, but is another: merge a list, [*a, "
                 "*b] [/c]"}}),
    tests::kRowNames);

TEST(YamlDocumentLimits, take_128_levels_and_no_more) {
  const std::string open(128, '[');
  const std::string close(128, ']');

  EXPECT_THAT(problems(open + close), IsEmpty());
  EXPECT_THAT(problems(open + "[]" + close),
              ElementsAre("it:1:129: must be nested at most 128 deep, but is deeper"));
  EXPECT_THAT(problems(std::string(100'000, '[')),
              ElementsAre("it:1:129: must be nested at most 128 deep, but is deeper"));
}

TEST(YamlDocumentLimits, count_the_levels_of_aliases) {
  const std::string hundred = std::string(100, '[') + std::string(100, ']');

  EXPECT_THAT(problems("a: &x " + hundred + "\nb: [[*x]]\n"), IsEmpty());
  EXPECT_THAT(problems("a: &x " + hundred + "\nb: " + std::string(28, '[') + "*x" +
                       std::string(28, ']') + "\n"),
              ElementsAre("it:2:32: must be nested at most 128 deep, but aliases nest deeper"));
}

// Nine levels of nine: 9^9 nodes if it were expanded.
TEST(YamlDocumentLimits, stop_an_alias_bomb) {
  std::string text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string inner = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    text += name + ": &" + name + " [" + inner;
    for (int j = 1; j < 9; ++j) {
      text += "," + inner;
    }
    text += "]\n";
  }

  EXPECT_THAT(problems(text),
              ElementsAre("it:7:10: must be at most 1000000 nodes, but aliases expand "
                          "to more"));
}

}  // namespace
}  // namespace spec::document
