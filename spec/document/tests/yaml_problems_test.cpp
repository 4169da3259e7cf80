#include "spec/document/library.hpp"
#include "spec/document/tests/loading.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace spec::document {
namespace {

using std::string_literals::operator""s;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

struct RejectedRow {
  std::string name;
  std::string yaml;
  std::vector<std::string> problems;
};

using YamlDocumentRejects = spec::tests::RowTest;

TEST_P(YamlDocumentRejects, with_place_and_cause) {
  const RejectedRow& row = GetParam();

  EXPECT_THAT(problems(row.yaml), ElementsAreArray(row.problems));
}

const std::vector<RejectedRow> kTextYamlDocumentRejects = {
    {"nothing", "", {"it:1:1: the document is empty"}},
    {"only_a_comment", "# nothing\n", {"it:1:1: the document is empty"}},
    {"nul", "a: 1\nb: \0c"s, {"it:2:4: control characters are not allowed (byte 0x00)"}},
    {"escape_byte", "a: \x1b[0m", {"it:1:4: control characters are not allowed (byte 0x1B)"}},
    {"invalid_utf8", "é: \xFF", {"it:1:4: invalid UTF-8 (byte 0xFF); save the file as UTF-8"}},
    {"utf16",
     "\xFF\xFE"
     "a\0"s,
     {"it:1:1: invalid UTF-8 (byte 0xFF); save the file as UTF-8"}},
    {"second_document",
     "a: 1\n---\nb: 2\n",
     {"it:2:1: a second document starts here; one file holds one document"}},
    {"second_document_after_an_end",
     "a: 1\n...\nb: 2\n",
     {"it:3:1: not valid YAML: did not find expected <document start>; one file holds "
      "one document: check the indentation"}},
    {"yaml_1_1",
     "%YAML 1.1\n---\na: no\n",
     {"it:1:1: YAML 1.1 is not supported; write %YAML 1.2, or "
      "leave the line out"}},
    {"yaml_2_0",
     "%YAML 2.0\n---\na: no\n",
     {"it:1:1: not valid YAML: found incompatible YAML document; write %YAML "
      "1.2, or leave the line out"}},
    {"open_quote",
     "a: 1\nb: \"no end\nc: 2\n",
     {"it:4:1: not valid YAML: found unexpected end of stream while scanning a "
      "quoted scalar that starts at line 2, column 4; close the quote that starts "
      "there"}},
    {"open_bracket",
     "a: [1\n",
     {"it:2:1: not valid YAML: did not find expected ',' or ']' while parsing "
      "a flow sequence that starts at line 1, column 4"}},
    {"tab_as_indentation",
     "a:\n\tb: 1\n",
     {"it:2:1: not valid YAML: found character that cannot start any token "
      "while scanning for the next token; indent with spaces, quote a text that starts "
      "with %, @ or `"}}};

INSTANTIATE_TEST_SUITE_P(Text, YamlDocumentRejects,
                         testing::ValuesIn(spec::tests::rows(kTextYamlDocumentRejects)),
                         spec::tests::kRowNames);

const std::vector<RejectedRow> kKeysYamlDocumentRejects = {
    {"duplicates",
     "a: 1\nb: {c: 1, c: 2}\na: 2\n",
     {"it:2:11: duplicate key \"c\" (first at line 2, column 5) [/b/c]",
      "it:3:1: duplicate key \"a\" (first at line 1, column 1) [/a]"}},
    {"duplicate_in_other_spelling",
     "200: a\n'200': b\n",
     {"it:2:1: duplicate key \"200\" (first at line 1, column 1) [/200]"}},
    {"empty",
     "a: 1\n&b:\n  c: 2\n",
     {"it:2:1: this key is empty: write \"\" if that is meant; an anchor takes no ':'"}},
    {"two_on_one_line",
     "a: b: c\n",
     {"it:1:5: not valid YAML: mapping values are not allowed in this context; "
      "quote a text that has \": \" in it"}},
    {"without_a_colon",
     "a: 1\nb\n",
     {"it:3:1: not valid YAML: could not find expected ':' while scanning a "
      "simple key that starts at line 2, column 1; a key needs \": \" after it, a text "
      "of several lines more indentation"}},
    {"too_long",
     "a: 1\n" + std::string(1100, 'k') + ": 2\n",
     {"it:2:1101: not valid YAML: could not find expected ':' while scanning a "
      "simple key that starts at line 2, column 1; a key of more than 1024 characters "
      "needs \"? \" before it, and its "
      "\": \" at the start of the next line"}},
    {"too_long_in_quotes",
     "'" + std::string(1100, 'k') + "': 2\n",
     {"it:1:1103: not valid YAML: mapping values are not allowed in this "
      "context; a key of more than 1024 characters needs \"? \" before it, and its "
      "\": \" at the start of the next line"}},
    {"sequence", "? [a]\n: 1\n", {"it:1:3: a key cannot be a sequence"}},
    {"mapping", "{{a: b}: c}", {"it:1:2: a key cannot be a mapping"}},
    {"alias_of_a_collection",
     "a: &x [1]\n*x : 2\n",
     {"it:2:1: a key cannot be an alias of a mapping or sequence"}}};

INSTANTIATE_TEST_SUITE_P(Keys, YamlDocumentRejects,
                         testing::ValuesIn(spec::tests::rows(kKeysYamlDocumentRejects)),
                         spec::tests::kRowNames);

const std::vector<RejectedRow> kValuesYamlDocumentRejects = {
    {"not_numbers",
     "[.inf, 1, .nan]",
     {"it:1:2: JSON has no number .inf; quote it if it is text [/0]",
      "it:1:11: JSON has no number .nan; quote it if it is text "
      "[/2]"}},
    {"local_tag",
     "a: !secret x\n",
     {"it:1:4: unknown tag !secret; the known ones are !!str, !!int, "
      "!!float, !!bool, !!null, !!map and !!seq [/a]"}},
    {"timestamp",
     "!!timestamp 2025-08-04",
     {"it:1:1: unknown tag !!timestamp; the known ones are !!str, !!int, "
      "!!float, !!bool, !!null, !!map and !!seq"}},
    {"wrong_int",
     "[!!int 1.5, !!int a]",
     {"it:1:2: tagged !!int, but is 1.5 [/0]", "it:1:13: tagged !!int, but is a [/1]"}},
    {"wrong_collection",
     "a: !!map [1]\nb: !!set {c}\n",
     {"it:1:4: tagged !!map, but is a sequence [/a]",
      "it:2:4: tagged !!set, but is a mapping [/b]"}}};

INSTANTIATE_TEST_SUITE_P(Values, YamlDocumentRejects,
                         testing::ValuesIn(spec::tests::rows(kValuesYamlDocumentRejects)),
                         spec::tests::kRowNames);

const std::vector<RejectedRow> kAliasesYamlDocumentRejects = {
    {"inside_what_is_merged",
     "a:\n  <<: {b: *x}\n",
     {"it:2:11: there is no anchor &x above this alias [/a]"}},
    {"inside_what_is_merged_and_empty",
     "<<: {'': *x}\n",
     {"it:1:10: there is no anchor &x above this alias"}},
    {"value_in_what_is_merged",
     "a: {<<: {b: .inf}}\n",
     {"it:1:13: JSON has no number .inf; quote it if it is text "
      "[/a/b]"}},

    {"unknown", "a: 1\nb: *x\n", {"it:2:4: there is no anchor &x above this alias"}},
    {"inside_itself",
     "a: &x [1, *x]\n",
     {"it:1:11: this alias is inside the node that it repeats [/a]"}},
    {"merge_of_itself",
     "a: &x {<<: *x}\n",
     {"it:1:12: this alias is inside the node that it repeats [/a]"}},
    {"merge_of_a_scalar",
     "a: {<<: 1, b: 2}\n",
     {"it:1:5: '<<' merges only a mapping or a list of mappings [/a]"}},
    {"merge_of_a_list_of_scalars",
     "a: {<<: [{c: 1}, 2]}\n",
     {"it:1:5: '<<' merges only a mapping or a list of mappings [/a]"}},
    {"two_merges",
     "a: &x {b: 1}\nc:\n  <<: *x\n  <<: *x\n",
     {"it:4:3: second '<<' in one mapping; merge a list instead: [*a, *b] [/c]"}}};

INSTANTIATE_TEST_SUITE_P(Aliases, YamlDocumentRejects,
                         testing::ValuesIn(spec::tests::rows(kAliasesYamlDocumentRejects)),
                         spec::tests::kRowNames);

TEST(YamlDocumentLimits, take_128_levels_and_no_more) {
  const std::string open(128, '[');
  const std::string close(128, ']');

  EXPECT_THAT(problems(open + close), IsEmpty());
  EXPECT_THAT(problems(open + "[]" + close),
              ElementsAre("it:1:129: nested deeper than 128 levels"));
  EXPECT_THAT(problems(std::string(100'000, '[')),
              ElementsAre("it:1:129: nested deeper than 128 levels"));
}

TEST(YamlDocumentLimits, count_the_levels_of_aliases) {
  const std::string hundred = std::string(100, '[') + std::string(100, ']');

  EXPECT_THAT(problems("a: &x " + hundred + "\nb: [[*x]]\n"), IsEmpty());
  EXPECT_THAT(problems("a: &x " + hundred + "\nb: " + std::string(28, '[') + "*x" +
                       std::string(28, ']') + "\n"),
              ElementsAre("it:2:32: aliases nest deeper than 128 levels"));
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

  EXPECT_THAT(problems(text), ElementsAre("it:7:10: aliases expand to more than 1000000 nodes"));
}

}  // namespace
}  // namespace spec::document
