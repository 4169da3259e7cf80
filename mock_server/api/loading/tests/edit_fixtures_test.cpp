#include "mock_server/api/loading/edit_fixtures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace mock_server::api::loading {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr std::string_view kText = R"(# Customers that tests use.
cus_1:
  name: "Ada"   # the first
  email: a@b.example
  tags: [one, "two"]
  address:
    # where she lives
    city: Bern
    zip: "3000"

# This one has no address.
cus_2:
  name: Grace
)";

json first() {
  return {{"name", "Ada"},
          {"email", "a@b.example"},
          {"tags", {"one", "two"}},
          {"address", {{"city", "Bern"}, {"zip", "3000"}}}};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string edited(std::string_view text, std::string_view key, const std::optional<json>& value) {
  auto result = edit_yaml(text, "c.yaml", key, value);
  return result ? *result : "error: " + result.error();
}

TEST(EditYaml, changes_one_value_and_keeps_every_comment) {
  json value = first();
  value["name"] = "Ada Lovelace";
  value["address"]["city"] = "Zug";

  EXPECT_EQ(edited(kText, "cus_1", value),
            replaced(replaced(std::string(kText), "\"Ada\"", "Ada Lovelace"), "Bern", "Zug"));
}

TEST(EditYaml, adds_members_and_entries_at_the_end) {
  json value = first();
  value["address"]["street"] = "12 Main Street";

  EXPECT_EQ(edited(kText, "cus_1", value),
            replaced(std::string(kText), "    zip: \"3000\"\n",
                     "    zip: \"3000\"\n    street: \"12 Main Street\"\n"));
  EXPECT_EQ(edited(kText, "cus_3", json{{"name", "Nia"}, {"tags", json::array()}}),
            std::string(kText) + "cus_3:\n  name: Nia\n  tags: []\n");
}

TEST(EditYaml, removes_an_entry_and_a_member) {
  json value = first();
  value.erase("email");

  EXPECT_EQ(edited(kText, "cus_1", value),
            replaced(std::string(kText), "  email: a@b.example\n", ""));
  EXPECT_EQ(edited(kText, "cus_2", std::nullopt),
            replaced(std::string(kText), "cus_2:\n  name: Grace\n", ""));
}

TEST(EditYaml, leaves_an_equal_value_alone) {
  EXPECT_EQ(edited(kText, "cus_1", first()), kText);
}

TEST(EditYaml, rejects_what_would_lose_a_comment_with_its_line) {
  json value = first();
  value.erase("address");

  EXPECT_EQ(edited(kText, "cus_1", value),
            "error: c.yaml:7: the comment in this line would be lost; change the file by hand");
  EXPECT_THAT(edited("{a: {b: 1}}", "a", json{{"b", 2}}), HasSubstr("cannot be changed in place"));
  EXPECT_THAT(edited("a: &x {b: 1}\nc: *x\n", "a", json{{"b", 2}}), HasSubstr("error: c.yaml"));
}

TEST(EditYaml, writes_a_first_entry_below_the_comments_of_a_new_file) {
  EXPECT_EQ(edited("", "a", json{{"b", "true"}, {"c", {{{"d", 1}, {"e", "x: y"}}}}}),
            "a:\n  b: \"true\"\n  c:\n    - d: 1\n      e: \"x: y\"\n");
  EXPECT_EQ(edited("# nothing yet\n", "a", json(1)), "# nothing yet\na: 1\n");
}

TEST(EditYaml, changes_a_whole_file_that_is_the_value) {
  EXPECT_EQ(edited("# one\nname: Ada\nage: 5\n", "", json{{"name", "Ada"}, {"age", 6}}),
            "# one\nname: Ada\nage: 6\n");
}

TEST(EditYaml, keeps_the_ends_of_lines) {
  EXPECT_EQ(edited("a: 1\r\nb: 2\r\n", "b", json(3)), "a: 1\r\nb: 3\r\n");
  EXPECT_THAT(edited("a: 1\r\nb: 2\n", "b", json(3)), HasSubstr("its lines end differently"));
}

TEST(EditYaml, keeps_texts_of_several_lines_that_do_not_change) {
  constexpr std::string_view kLong = "a:\n  text: |\n    # no comment\n    two\n\n  n: 1\nb: 2\n";

  EXPECT_EQ(edited(kLong, "a", json{{"text", "# no comment\ntwo\n"}, {"n", 2}}),
            replaced(std::string(kLong), "n: 1", "n: 2"));
  EXPECT_EQ(edited(kLong, "a", json{{"text", "short"}, {"n", 1}}),
            "a:\n  text: short\n\n  n: 1\nb: 2\n");
}

constexpr std::string_view kJson = R"({
    "cus_1": {
        "name": "Ada",
        "age": 1.50,
        "tags": ["one", "two"],
        "address": {"city": "Bern", "zip": "3000"}
    },
    "cus_2": {
        "name": "Grace"
    }
}
)";

std::string edited_json(std::string_view text, std::string_view key,
                        const std::optional<json>& value) {
  auto result = edit_json(text, "c.json", key, value);
  return result ? *result : "error: " + result.error();
}

json first_of_json() {
  return {{"name", "Ada"},
          {"age", 1.5},
          {"tags", {"one", "two"}},
          {"address", {{"city", "Bern"}, {"zip", "3000"}}}};
}

TEST(EditJson, changes_one_value_and_keeps_indentation_order_and_numbers) {
  json value = first_of_json();
  value["name"] = "Ada \"L\"";
  value["address"]["city"] = "Zug";
  value["tags"].push_back("three");

  EXPECT_EQ(
      edited_json(kJson, "cus_1", value),
      replaced(replaced(replaced(std::string(kJson), "\"Ada\"", R"("Ada \"L\"")"), "Bern", "Zug"),
               "\"two\"]", "\"two\", \"three\"]"));
  EXPECT_EQ(edited_json(kJson, "cus_1", first_of_json()), kJson);
}

TEST(EditJson, adds_members_and_entries_at_the_end) {
  json value = first_of_json();
  value["vat"] = {{"id", 1}};

  EXPECT_EQ(edited_json(kJson, "cus_1", value),
            replaced(std::string(kJson), "\"3000\"}\n",
                     "\"3000\"},\n        \"vat\": {\n            \"id\": 1\n        }\n"));
  EXPECT_EQ(edited_json(kJson, "cus_3", json{{"tags", json::array()}}),
            replaced(std::string(kJson), "\n    }\n}\n",
                     "\n    },\n    \"cus_3\": {\n        \"tags\": []\n    }\n}\n"));
}

TEST(EditJson, removes_members_and_entries) {
  json value = first_of_json();
  value.erase("name");
  value.erase("address");

  EXPECT_EQ(edited_json(kJson, "cus_1", value),
            replaced(replaced(std::string(kJson), "\"name\": \"Ada\",\n        ", ""),
                     ",\n        \"address\": {\"city\": \"Bern\", \"zip\": \"3000\"}", ""));
  EXPECT_EQ(edited_json("{\"a\": 1}", "a", std::nullopt), "{}");
}

TEST(EditJson, writes_as_the_text_is_written) {
  EXPECT_EQ(edited_json("{\"a\":{\"b\":1}}", "a", json{{"b", {1, 2}}, {"c", 3}}),
            "{\"a\":{\"b\":[1,2],\"c\":3}}");
  EXPECT_EQ(edited_json("{\"a\": 1}", "b", json{{"c", {1, 2}}}),
            "{\"a\": 1, \"b\": {\"c\": [1, 2]}}");
  EXPECT_EQ(edited_json("{\r\n\t\"a\": 1\r\n}", "b", json{{"c", 1}}),
            "{\r\n\t\"a\": 1,\r\n\t\"b\": {\r\n\t\t\"c\": 1\r\n\t}\r\n}");
  EXPECT_EQ(edited_json("{}\n", "a", json{{"b", 1}}), "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
}

TEST(EditJson, rejects_what_is_no_json_object) {
  EXPECT_THAT(edited_json("{\"a\": 1", "a", json(2)), HasSubstr("error: c.json:1"));
  EXPECT_THAT(edited_json("[1]", "a", json(2)), HasSubstr("cannot be changed in place"));
}

}  // namespace
}  // namespace mock_server::api::loading
