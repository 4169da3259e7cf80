#include "spec/document/yaml_text.hpp"

#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace spec::document {
namespace {

using std::string_literals::operator""s;

struct Written {
  std::string name;
  FlowStyle style;
  std::string raw;
  std::string text;
  std::string problem = {};
};

void PrintTo(const Written& written, std::ostream* out) {
  *out << written.raw;
}

class YamlText : public testing::TestWithParam<Written> {};

TEST_P(YamlText, reads_as_yaml_says) {
  std::string scratch = "what was there before";

  const FlowText decoded = decode_flow_scalar(GetParam().raw, GetParam().style, scratch);

  EXPECT_EQ(decoded.text, GetParam().text);
  EXPECT_EQ(decoded.problem, GetParam().problem);
}

constexpr FlowStyle kPlain = FlowStyle::kPlain;
constexpr FlowStyle kSingle = FlowStyle::kSingleQuoted;
constexpr FlowStyle kDouble = FlowStyle::kDoubleQuoted;

INSTANTIATE_TEST_SUITE_P(
    Folding, YamlText,
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

INSTANTIATE_TEST_SUITE_P(Quotes, YamlText,
                         testing::Values(Written{"one", kSingle, "it''s", "it's"},
                                         Written{"run", kSingle, "''''''a", "'''a"},
                                         Written{"two_and_text", kSingle, "''''ab", "''ab"},
                                         Written{"backslash_is_plain", kSingle, "a\\n", "a\\n"},
                                         Written{"double_in_single", kSingle, "\"a\"", "\"a\""},
                                         Written{"single_in_double", kDouble, "'a''b'", "'a''b'"}),
                         tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Escapes, YamlText,
    testing::Values(
        Written{"short", kDouble, "\\0\\a\\b\\t\\n\\v\\f\\r\\e\\ \\\"\\/\\\\",
                "\0\a\b\t\n\v\f\r\x1b \"/\\"s},
        Written{"tab", kDouble, "a\\\tb", "a\tb"},
        Written{"wide", kDouble, "\\N\\_\\L\\P", "\u0085\u00a0\u2028\u2029"},
        Written{"hexadecimal", kDouble, "\\x41\\xe9\\u00E9\\U0001F600", "Aéé😀"},
        Written{"surrogate_pair", kDouble, "\\ud83d\\ude00", "😀"},
        Written{"lone_high", kDouble, "\\ud83d", "",
                "must be a character but is half of a surrogate pair"},
        Written{"high_and_letter", kDouble, "\\ud83d\\u0041", "",
                "must be a character but is half of a surrogate pair"},
        Written{"lone_low", kDouble, "\\udc00", "",
                "must be a character but is half of a surrogate pair"},
        Written{"too_large", kDouble, "\\U00110000", "",
                "must be a character but is beyond U+10FFFF"},
        Written{"few_digits", kDouble, "\\u12", "", "must be an escape of 4 hexadecimal digits"},
        Written{"signed_digits", kDouble, "\\x-1", "", "must be an escape of 2 hexadecimal digits"},
        Written{"unknown", kDouble, "\\q", "", "must be an escape of YAML 1.2 but is '\\' and 'q'"},
        Written{"cut", kDouble, "a\\", "", "must be an escape but the text ends after '\\'"}),
    tests::kRowNames);

}  // namespace
}  // namespace spec::document
