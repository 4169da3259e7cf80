#include "spec/document/tests/loading.hpp"
#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

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

struct Written {
  std::string name;
  std::string_view quote;
  std::string raw;
  std::string text;
};

void PrintTo(const Written& written, std::ostream* out) {
  *out << written.raw;
}

std::string quoted(const Written& written) {
  return std::string(written.quote) + written.raw + std::string(written.quote);
}

// Line folding (YAML 1.2.2 §6.5, §7.3) and escapes (§5.7).
class YamlFlow : public testing::TestWithParam<Written> {};

TEST_P(YamlFlow, reads_as_yaml_says) {
  Library library;

  const Node root = library.add("test:it", "it", quoted(GetParam()), Format::kYaml);

  EXPECT_EQ(root.string(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Folding, YamlFlow,
    testing::Values(Written{"none", kPlain, "a  b\\'", "a  b\\'"},
                    Written{"break", kPlain, "a \t\n\t b", "a b"},
                    Written{"crlf", kPlain, "a\r\n  b\r\n\r\n  c", "a b\nc"},
                    Written{"carriage_return", kPlain, "a\rb\r\rc", "a b\nc"},
                    Written{"empty_lines", kPlain, "a\n \n\t\nb", "a\n\nb"},
                    Written{"quoted_ends", kSingle, "  a  \n  b  ", "  a b  "},
                    Written{"quoted_break_first", kDouble, "\n a", " a"},
                    Written{"quoted_break_last", kDouble, "a \n ", "a "},
                    Written{"quoted_breaks_only", kSingle, "\n\n\n", "\n\n"},
                    Written{"escaped_blank_stays", kDouble, "a\\t\\ \n b", "a\t  b"},
                    Written{"escaped_break", kDouble, "a \\\n  b", "a b"},
                    Written{"escaped_break_and_empty_line", kDouble, "a \\\n\n  b", "a \nb"},
                    Written{"escaped_blank_after_break", kDouble, "a\n \\  b", "a   b"}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(Quotes, YamlFlow,
                         testing::Values(Written{"one", kSingle, "it''s", "it's"},
                                         Written{"run", kSingle, "''''''a", "'''a"},
                                         Written{"two_and_text", kSingle, "''''ab", "''ab"},
                                         Written{"backslash_is_plain", kSingle, "a\\n", "a\\n"},
                                         Written{"double_in_single", kSingle, "\"a\"", "\"a\""},
                                         Written{"single_in_double", kDouble, "'a''b'", "'a''b'"}),
                         tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Escapes, YamlFlow,
    testing::Values(Written{"short", kDouble, "\\0\\a\\b\\t\\n\\v\\f\\r\\e\\ \\\"\\/\\\\",
                            "\0\a\b\t\n\v\f\r\x1b \"/\\"s},
                    Written{"tab", kDouble, "a\\\tb", "a\tb"},
                    Written{"wide", kDouble, "\\N\\_\\L\\P", "\u0085\u00a0\u2028\u2029"},
                    Written{"hexadecimal", kDouble, "\\x41\\xe9\\u00E9\\U0001F600", "Aéé😀"},
                    Written{"surrogate_pair", kDouble, "\\ud83d\\ude00", "😀"}),
    tests::kRowNames);

struct Unreadable {
  std::string name;
  std::string raw;
  std::string problem;
};

void PrintTo(const Unreadable& text, std::ostream* out) {
  *out << text.raw;
}

class YamlEscapeRejects : public testing::TestWithParam<Unreadable> {};

TEST_P(YamlEscapeRejects, with_place_and_cause) {
  EXPECT_THAT(problems("\"" + GetParam().raw + "\""),
              ElementsAre(AllOf(StartsWith("it:1:"), HasSubstr(GetParam().problem))));
}

constexpr auto kHalf = "half of a surrogate pair is not a character";

INSTANTIATE_TEST_SUITE_P(
    , YamlEscapeRejects,
    testing::Values(Unreadable{"lone_high", "\\ud83d", kHalf},
                    Unreadable{"high_and_letter", "\\ud83d\\u0041", kHalf},
                    Unreadable{"two_highs", "\\ud83d\\ud83d", kHalf},
                    Unreadable{"lone_low", "\\udc00", kHalf},
                    Unreadable{"low_after_a_backslash", "\\\\\\udc00", kHalf},
                    Unreadable{"too_large", "\\U00110000", "invalid Unicode character escape"},
                    Unreadable{"few_digits", "\\u12", "did not find expected hexdecimal number"},
                    Unreadable{"signed_digits", "\\x-1", "did not find expected hexdecimal number"},
                    Unreadable{"unknown", "\\q",
                               "write \\\\ for a backslash, or use single quotes"}),
    tests::kRowNames);

}  // namespace
}  // namespace spec::document
