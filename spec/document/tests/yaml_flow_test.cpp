#include "spec/document/tests/loading.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::document {
namespace {

using std::string_literals::operator""s;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kPlain;
constexpr std::string_view kSingle = "'";
constexpr std::string_view kDouble = "\"";

struct WrittenRow {
  std::string name;
  std::string_view quote;
  std::string raw;
  std::string text;
};

std::string quoted(const WrittenRow& written) {
  return std::string(written.quote) + written.raw + std::string(written.quote);
}

// Line folding (YAML 1.2.2 §6.5, §7.3) and escapes (§5.7).
using YamlFlow = spec::tests::RowTest;

TEST_P(YamlFlow, reads_as_yaml_says) {
  const WrittenRow& row = GetParam();

  Library library;

  const Node root = library.add("test:it", "it", quoted(row), Format::kYaml);

  EXPECT_EQ(root.string(), row.text);
}

const std::vector<WrittenRow> kFoldingYamlFlow = {
    {"none", kPlain, "a  b\\'", "a  b\\'"},
    {"break", kPlain, "a \t\n\t b", "a b"},
    {"crlf", kPlain, "a\r\n  b\r\n\r\n  c", "a b\nc"},
    {"carriage_return", kPlain, "a\rb\r\rc", "a b\nc"},
    {"empty_lines", kPlain, "a\n \n\t\nb", "a\n\nb"},
    {"quoted_ends", kSingle, "  a  \n  b  ", "  a b  "},
    {"quoted_break_first", kDouble, "\n a", " a"},
    {"quoted_break_last", kDouble, "a \n ", "a "},
    {"quoted_breaks_only", kSingle, "\n\n\n", "\n\n"},
    {"escaped_blank_stays", kDouble, "a\\t\\ \n b", "a\t  b"},
    {"escaped_break", kDouble, "a \\\n  b", "a b"},
    {"escaped_break_and_empty_line", kDouble, "a \\\n\n  b", "a \nb"},
    {"escaped_blank_after_break", kDouble, "a\n \\  b", "a   b"}};

INSTANTIATE_TEST_SUITE_P(Folding, YamlFlow, testing::ValuesIn(spec::tests::rows(kFoldingYamlFlow)),
                         spec::tests::kRowNames);

const std::vector<WrittenRow> kQuotesYamlFlow = {{"one", kSingle, "it''s", "it's"},
                                                 {"run", kSingle, "''''''a", "'''a"},
                                                 {"two_and_text", kSingle, "''''ab", "''ab"},
                                                 {"backslash_is_plain", kSingle, "a\\n", "a\\n"},
                                                 {"double_in_single", kSingle, "\"a\"", "\"a\""},
                                                 {"single_in_double", kDouble, "'a''b'", "'a''b'"}};

INSTANTIATE_TEST_SUITE_P(Quotes, YamlFlow, testing::ValuesIn(spec::tests::rows(kQuotesYamlFlow)),
                         spec::tests::kRowNames);

const std::vector<WrittenRow> kEscapesYamlFlow = {
    {"short", kDouble, "\\0\\a\\b\\t\\n\\v\\f\\r\\e\\ \\\"\\/\\\\", "\0\a\b\t\n\v\f\r\x1b \"/\\"s},
    {"tab", kDouble, "a\\\tb", "a\tb"},
    {"wide", kDouble, "\\N\\_\\L\\P", "\u0085\u00a0\u2028\u2029"},
    {"hexadecimal", kDouble, "\\x41\\xe9\\u00E9\\U0001F600", "Aéé😀"},
    {"surrogate_pair", kDouble, "\\ud83d\\ude00", "😀"}};

INSTANTIATE_TEST_SUITE_P(Escapes, YamlFlow, testing::ValuesIn(spec::tests::rows(kEscapesYamlFlow)),
                         spec::tests::kRowNames);

struct InvalidEscape {
  std::string name;
  std::string raw;
  std::string problem;
};

using YamlEscapeRejects = spec::tests::RowTest;

TEST_P(YamlEscapeRejects, with_place_and_cause) {
  const InvalidEscape& row = GetParam();

  EXPECT_THAT(problems("\"" + row.raw + "\""),
              ElementsAre(AllOf(StartsWith("it:1:"), HasSubstr(row.problem))));
}

constexpr auto kHalf = "half of a surrogate pair is not a character";

const std::vector<InvalidEscape> kYamlEscapeRejectsRows = {
    {"lone_high", "\\ud83d", kHalf},
    {"high_and_letter", "\\ud83d\\u0041", kHalf},
    {"two_highs", "\\ud83d\\ud83d", kHalf},
    {"lone_low", "\\udc00", kHalf},
    {"low_after_a_backslash", "\\\\\\udc00", kHalf},
    {"too_large", "\\U00110000", "invalid Unicode character escape"},
    {"few_digits", "\\u12", "did not find expected hexdecimal number"},
    {"signed_digits", "\\x-1", "did not find expected hexdecimal number"},
    {"unknown", "\\q", "write \\\\ for a backslash, or use single quotes"}};

INSTANTIATE_TEST_SUITE_P(, YamlEscapeRejects,
                         testing::ValuesIn(spec::tests::rows(kYamlEscapeRejectsRows)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace spec::document
