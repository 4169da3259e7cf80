#include "spec/document/library.hpp"
#include "spec/document/tests/loading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace spec::document {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(JsonDocument, knows_line_and_column_of_every_node_and_key) {
  Library library;
  const Node root = library.add("test:it", "it.json",
                                "{\n"
                                "  \"é\": [1, \"x\\u00e9y\",\r\n"
                                "    null],\r"
                                "\t\"b\": {}\n"
                                "}",
                                Format::kJson);

  EXPECT_EQ(spot(root), "1:1");
  EXPECT_EQ(spot(root.find("é")), "2:8");
  EXPECT_EQ(spot(root.find("é").at(0)), "2:9");
  EXPECT_EQ(spot(root.find("é").at(1)), "2:12");
  EXPECT_EQ(spot(root.find("é").at(2)), "3:5");
  EXPECT_EQ(spot(root.find("b")), "4:7");
  EXPECT_EQ(root.members()[1].key_place.line, 4U);
  EXPECT_EQ(root.members()[1].key_place.column, 2U);
  EXPECT_EQ(root.find("é").at(1).string(), "xéy");
}

TEST(JsonDocument, holds_any_json_value) {
  EXPECT_EQ(loaded(R"([1.50,"\u0000",{"a":{"b":[]}},true,false,null,-0])", Format::kJson),
            R"([1.50,"\u0000",{"a":{"b":[]}},true,false,null,-0])");
  EXPECT_EQ(loaded("\"scalar\"", Format::kJson), "\"scalar\"");
}

TEST(JsonDocument, reports_every_duplicate_key_at_once) {
  EXPECT_THAT(problems("{\"a\":1,\n\"b\":{\"x\":1,\"x\":2,\"x\":3},\n\"a\":2}", Format::kJson),
              ElementsAre("it:2:12: duplicate key \"x\" (first at line 2, column 6) [/b/x]",
                          "it:2:18: duplicate key \"x\" (first at line 2, column 6) [/b/x]",
                          "it:3:1: duplicate key \"a\" (first at line 1, column 2) [/a]"));
}

TEST(JsonDocument, reports_a_duplicate_among_many_keys) {
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) {
    text += "\"" + std::to_string(i) + "\":0,\n";
  }
  text += "\"99999\":0}";

  EXPECT_THAT(
      problems(text, Format::kJson),
      ElementsAre(
          "it:100001:1: duplicate key \"99999\" (first at line 100000, column 1) [/99999]"));
}

TEST(JsonDocument, places_a_syntax_error_and_what_came_before_it) {
  EXPECT_THAT(problems("{\"a\":1,\"a\":2,\n \"b\": tru}", Format::kJson),
              ElementsAre("it:1:8: duplicate key \"a\" (first at line 1, column 2) [/a]",
                          "it:2:10: expected 'e' of 'true', found '}'"));
}

TEST(JsonDocument, is_bounded_in_depth) {
  const std::string open(128, '[');
  const std::string close(128, ']');

  EXPECT_THAT(problems(open + close, Format::kJson), IsEmpty());
  EXPECT_THAT(problems(open + "[]" + close, Format::kJson),
              ElementsAre("it:1:129: nested deeper than 128 levels"));
}

// One line of 4 MB: a column that is counted from the line's start each time would take minutes.
TEST(JsonDocument, a_text_of_one_long_line_loads_in_linear_time) {
  std::string text = "[";
  for (int i = 0; i < 400'000; ++i) {
    text += "\"éé\",";
  }
  text += "1]";
  Library library;

  const Node root = library.add("test:it", "it", text, Format::kJson);

  EXPECT_EQ(root.size(), 400'001U);
  EXPECT_EQ(spot(root.at(400'000)), "1:2000002");
}

}  // namespace
}  // namespace spec::document
