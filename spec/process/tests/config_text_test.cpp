// Files of flags as text: the meaning of each line, and the places of errors.

#include "spec/process/config_text.hpp"

#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace spec::process {

void PrintTo(const ConfigLine& line, std::ostream* out) {
  *out << line.line << ": " << line.name << " = " << testing::PrintToString(line.values)
       << (line.is_list ? " (list)" : "");
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct ReadableCase {
  std::string name;
  std::string text;
  std::vector<ConfigLine> lines;
};

using Readable = tests::RowTest;

TEST_P(Readable, lines_have_a_name_and_values) {
  const ReadableCase& row = GetParam();

  const auto read = read_config_text(row.text, "f.toml");

  EXPECT_EQ(read.lines, row.lines);
  EXPECT_THAT(read.problems, IsEmpty());
}

ConfigLine one(std::size_t line, std::string value, std::size_t column = 1) {
  return {.name = "a", .values = {std::move(value)}, .line = line, .column = column};
}

ConfigLine list(std::size_t line, std::vector<std::string> values) {
  return {.name = "a", .values = std::move(values), .is_list = true, .line = line, .column = 1};
}

const std::vector<ReadableCase> kFilesReadable = {
    {"nothing", "", {}},
    {"comments", "# a = 1\n\n  # b\r\n#", {}},
    {"words", "a=4\n a\t= http://h:1/p?q=1 # c\r\n", {one(1, "4"), one(2, "http://h:1/p?q=1", 2)}},
    {"a_byte_order_mark",
     "\xEF\xBB\xBF"
     "a = true",
     {one(1, "true")}},
    {"double_quotes",
     R"(a = "b # \"c\" \\ \u00e9\U0001F600\t, [d]" # e)",
     {one(1, "b # \"c\" \\ \xC3\xA9\xF0\x9F\x98\x80\t, [d]")}},
    {"single_quotes", R"(a = 'C:\new "x" # y')", {one(1, R"(C:\new "x" # y)")}},
    {"empty_quotes", "a = \"\"\na = ''", {one(1, ""), one(2, "")}},
    {"lists", "a = [b, \"c, d\" , 'e',]\na = []", {list(1, {"b", "c, d", "e"}), list(2, {})}},
    {"lists_of_several_lines",
     "a = [ # first\n  b, # second\n\n  # third\n  c\n] # end\na = d",
     {list(1, {"b", "c"}), one(7, "d")}}};

INSTANTIATE_TEST_SUITE_P(Files, Readable, testing::ValuesIn(tests::rows(kFilesReadable)),
                         tests::kRowNames);

struct UnreadableCase {
  std::string name;
  std::string text;
  std::string said;
};

using UnreadableLine = tests::RowTest;

TEST_P(UnreadableLine, is_named_with_its_place_and_the_lines_after_it_are_read) {
  const UnreadableCase& row = GetParam();

  const auto read = read_config_text(row.text, "f.toml");

  ASSERT_EQ(read.problems.size(), 1U);
  EXPECT_EQ(to_line(read.problems[0]), row.said);
}

const std::vector<UnreadableCase> kFilesUnreadableLine = {
    {"no_value_sign", "a = 1\n quiet\nb = 2",
     "f.toml:2:2: must be NAME = VALUE, as in jobs = 4 or verbose = true"},
    {"no_value", "a =\nb = 2", "f.toml:1:4: must be NAME = VALUE, but has no value"},
    {"section", "[run]\na = 1",
     "f.toml:1:1: sections are not used; write NAME = VALUE without one"},
    {"blanks_without_quotes", "a = b c",
     "f.toml:1:7: unexpected 'c' after a value; put a text with blanks into quotes, and "
     "several values into []"},
    {"commas_without_brackets", "a = b,c",
     "f.toml:1:6: unexpected ',' after a value; put a text with blanks into quotes, and "
     "several values into []"},
    {"comment_without_a_blank", "a = b#c",
     "f.toml:1:6: put a text with # into quotes, or a blank before a comment"},
    {"open_quotes", "a = \"b\nc = 1", "f.toml:1:5: a text in quotes has no end in its line"},
    {"open_single_quotes", "a = 'b\nc = '1'",
     "f.toml:1:5: a text in quotes has no end in its line"},
    {"unknown_escape", R"(a = "C:\x")",
     R"(f.toml:1:8: "\\x" is no escape; write \\ for a backslash, or put the text )"
     "into single quotes"},
    {"half_a_character", R"(a = "\ud800")",
     R"(f.toml:1:6: "\\ud800" is no escape; write \\ for a backslash, or put the )"
     "text into single quotes"},
    {"columns_of_characters", "a = \xC3\xA9\xC3\xA9 b",
     "f.toml:1:8: unexpected 'b' after a value; put a text with blanks into quotes, and "
     "several values into []"},
    {"open_list", "a = 1\na = [b,\n", "f.toml:2:5: a list has no end"},
    {"list_without_an_end", "a = [b\nc = 2",
     "f.toml:2:1: must be a comma or the end of the list that begins in line 1"},
    {"no_utf_8", "a = 1\nb = \xff", "f.toml:2:5: must be text in UTF-8, but here is byte 0xFF"},
    {"a_control_character", std::string("a = \0b", 6),
     "f.toml:1:5: must be text in UTF-8, but here is byte 0x00"},
    {"a_return_without_a_line_break",
     "# a\rb = 1\r\nc = ", "f.toml:1:4: must be text in UTF-8, but here is byte 0x0D"}};

INSTANTIATE_TEST_SUITE_P(Files, UnreadableLine,
                         testing::ValuesIn(tests::rows(kFilesUnreadableLine)), tests::kRowNames);

TEST(ConfigText, a_file_of_something_else_has_few_problems) {
  std::string text;
  for (int line = 0; line < 1'000; ++line) {
    text += "paths:\n";
  }

  EXPECT_EQ(read_config_text(text, "openapi.yaml").problems.size(), 10U);
}

TEST(ConfigText, goes_on_after_a_line_that_cannot_be_read) {
  const auto read = read_config_text("[run]\na = 1\nquiet\na = 2", "f.toml");

  EXPECT_THAT(read.lines, ElementsAre(one(2, "1"), one(4, "2")));
  EXPECT_EQ(read.problems.size(), 2U);
}

}  // namespace
}  // namespace spec::process
