#include "spec/document/load.hpp"
#include "spec/document/tests/loading.hpp"
#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ostream>
#include <string>

namespace spec::document {
namespace {

struct LoadedText {
  std::string name;
  std::string yaml;
  std::string json;
};

void PrintTo(const LoadedText& text, std::ostream* out) {
  *out << text.yaml;
}

class YamlDocument : public testing::TestWithParam<LoadedText> {};

TEST_P(YamlDocument, holds_what_the_text_says) {
  EXPECT_EQ(loaded(GetParam().yaml), GetParam().json);
}

INSTANTIATE_TEST_SUITE_P(
    Structure, YamlDocument,
    testing::Values(
        LoadedText{"block", "a:\n  - 1\n  - b: c\n    d:\n", R"({"a":[1,{"b":"c","d":null}]})"},
        LoadedText{"flow", "{a: [1, {b: c}], d: }", R"({"a":[1,{"b":"c"}],"d":null})"},
        LoadedText{"scalar", "word\n", "\"word\""}, LoadedText{"explicit_null", "---\n", "null"},
        LoadedText{"byte_order_mark",
                   "\xEF\xBB\xBF"
                   "a: 1",
                   R"({"a":1})"},
        LoadedText{"version", "%YAML 1.2\n---\na: 1\n", R"({"a":1})"},
        LoadedText{"document_end", "a: 1\n...\n", R"({"a":1})"},
        LoadedText{"comments", "# one\na: 1 # two\n# three\n", R"({"a":1})"},
        LoadedText{"crlf", "a: 1\r\nb:\r\n  - 2\r\n", R"({"a":1,"b":[2]})"},
        LoadedText{"carriage_returns", "a: 1\rb:\r  - 2\r", R"({"a":1,"b":[2]})"},
        LoadedText{"crlf_in_scalars", "a: |\r\n  x\r\n\r\n  y\r\nb: \"x\r\n  y\"\r\nc: \"\\r\"\r\n",
                   R"({"a":"x\n\ny\n","b":"x y","c":"\r"})"},
        LoadedText{"empty_elements", "-\n- \n-\n  a\n", R"([null,null,"a"])"},
        LoadedText{"single_pair", "[a: 1, b]", R"([{"a":1},"b"])"}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Scalars, YamlDocument,
    testing::Values(
        LoadedText{"strings_that_look_otherwise", "[no, on, 2025-08-04, 1_000, '1', \"true\"]",
                   R"(["no","on","2025-08-04","1_000","1","true"])"},
        LoadedText{"numbers", "[1.50, 0x1F, 0o17, +1, 1e3]", "[1.50,31,15,1,1e3]"},
        LoadedText{"literal", "a: |\n  one\n  two\n", R"({"a":"one\ntwo\n"})"},
        LoadedText{"folded", "a: >-\n  one\n  two\n", R"({"a":"one two"})"},
        LoadedText{"block_number", "a: |-\n  1\n", R"({"a":"1"})"},
        LoadedText{"plain_lines", "a: one\n  two\n", R"({"a":"one two"})"},
        LoadedText{"escapes", R"(["\x41\u00e9\n", 'it''s'])", R"(["Aé\n","it's"])"},
        LoadedText{"runs_of_quotes", "['''''ab''', '''''''''''''a''']", R"(["''ab'","''''''a'"])"},
        LoadedText{"nul_escape", R"("\0")", R"("\u0000")"}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Keys, YamlDocument,
    testing::Values(LoadedText{"status_codes", "200: a\n4XX: b\n'404': c\n",
                               R"({"200":"a","404":"c","4XX":"b"})"},
                    LoadedText{"other_words",
                               "{no: 1, true: 2, ~: 3, 1.50: 4, 2025-08-04: 5, .inf: 6}",
                               R"({".inf":6,"1.50":4,"2025-08-04":5,"no":1,"true":2,"~":3})"},
                    LoadedText{"empty", "'': a\n", R"({"":"a"})"},
                    LoadedText{"quoted", "\"a b\": 1\n", R"({"a b":1})"},
                    LoadedText{"explicit", "? a\n: 1\n", R"({"a":1})"},
                    LoadedText{"folded", "? >-\n  a\n  b\n: 1\n", R"({"a b":1})"}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Aliases, YamlDocument,
    testing::Values(LoadedText{"scalar", "a: &x 1.50\nb: *x\n", R"({"a":1.50,"b":1.50})"},
                    LoadedText{"collection", "a: &x {c: [1]}\nb: [*x, *x]\n",
                               R"({"a":{"c":[1]},"b":[{"c":[1]},{"c":[1]}]})"},
                    LoadedText{"redefined", "[&x 1, *x, &x 2, *x]", "[1,1,2,2]"},
                    LoadedText{"null", "[&x , *x]", "[null,null]"},
                    LoadedText{"of_a_key", "&k a: *k\n", R"({"a":"a"})"},
                    LoadedText{"as_a_key", "[&k a, {*k : 1}]", R"(["a",{"a":1}])"},
                    LoadedText{"number_as_a_key", "[&k 0x10, {*k : 1}]", R"([16,{"0x10":1}])"},
                    LoadedText{"nested", "a: &x [1, &y [2]]\nb: *y\nc: *x\n",
                               R"({"a":[1,[2]],"b":[2],"c":[1,[2]]})"}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Merges, YamlDocument,
    testing::Values(LoadedText{"alias", "a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\n",
                               R"({"a":{"p":1,"q":2},"b":{"p":1,"q":3}})"},
                    LoadedText{"own_key_first", "a: &x {p: 1, q: 2}\nb: {q: 3, <<: *x}\n",
                               R"({"a":{"p":1,"q":2},"b":{"p":1,"q":3}})"},
                    LoadedText{"list_earlier_wins", "[&x {p: 1}, &y {p: 2, q: 2}, {<<: [*x, *y]}]",
                               R"([{"p":1},{"p":2,"q":2},{"p":1,"q":2}])"},
                    LoadedText{"mapping", "{<<: {p: 1}, q: 2}", R"({"p":1,"q":2})"},
                    LoadedText{"of_merged", "[&x {p: 1}, &y {<<: *x, q: 2}, {<<: *y, r: 3}]",
                               R"([{"p":1},{"p":1,"q":2},{"p":1,"q":2,"r":3}])"},
                    LoadedText{"nested_value", "[&x {p: {q: [1]}}, {<<: *x}]",
                               R"([{"p":{"q":[1]}},{"p":{"q":[1]}}])"},
                    LoadedText{"quoted_is_a_name", "{'<<': 1}", R"({"<<":1})"},
                    LoadedText{"nothing", "{<<: []}", "{}"}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Tags, YamlDocument,
    testing::Values(
        LoadedText{"string", "[!!str 1, !!str true, !!str , x]", R"(["1","true","","x"])"},
        LoadedText{"non_specific", "[! 1, ! [2]]", R"(["1",[2]])"},
        LoadedText{"numbers", "[!!int 1, !!float 1, !!float 1.5, !!int '7']", "[1,1,1.5,7]"},
        LoadedText{"others", "[!!null ~, !!bool true, !!map {}, !!seq []]", "[null,true,{},[]]"},
        LoadedText{"by_directive", "%TAG !c! tag:yaml.org,2002:\n---\n!c!str 1\n", "\"1\""},
        LoadedText{"verbatim", "!<tag:yaml.org,2002:str> 1", "\"1\""}),
    tests::kRowNames);

struct Spots {
  std::string name;
  std::string yaml;
  std::string spots;
};

void PrintTo(const Spots& spots, std::ostream* out) {
  *out << spots.yaml;
}

class YamlPlaces : public testing::TestWithParam<Spots> {};

// Places of all values in the order of the text, the root's first.
void append_spots(const Node& node, std::string& out) {
  out += (out.empty() ? "" : " ") + spot(node);
  for (const Node& element : node.elements()) {
    append_spots(element, out);
  }
  for (const Member& member : node.members()) {
    append_spots(member.value, out);
  }
}

TEST_P(YamlPlaces, are_known_for_every_node) {
  Library library;
  std::string spots;

  append_spots(library.add("test:it", "it", GetParam().yaml, Format::kYaml), spots);

  EXPECT_EQ(spots, GetParam().spots);
}

INSTANTIATE_TEST_SUITE_P(
    , YamlPlaces,
    testing::Values(
        Spots{"block", "a:\n  b: 1\n  c:\n    - x\n", "1:1 2:3 2:6 4:5 4:7"},
        Spots{"flow", "{a: [1, {b: é, c: d}]}", "1:1 1:5 1:6 1:9 1:13 1:19"},
        Spots{"quoted", "a: \"x\"\nb: 'y'\n", "1:1 1:4 2:4"},
        Spots{"quoted_lines", "a: \"x\n  y\"\nb: 1\n", "1:1 1:4 3:4"},
        Spots{"literal", "a: |\n  x | y\nb: >- # why | not\n\n  z\n", "1:1 1:4 3:4"},
        Spots{"empty_value_has_its_keys", "a: 1\nbc:\nd: {e, f: }\n", "1:1 1:4 2:1 3:4 3:5 3:8"},
        Spots{"empty_element_has_its_dash", "- 1\n-\n# c\n- \n- 2\n", "1:1 1:3 2:1 4:1 5:3"},
        Spots{"multibyte", "é: {ключ: 😀, b: c}\n", "1:1 1:4 1:11 1:17"},
        Spots{"tab", "a:\t1\nb: [\t2]\n", "1:1 1:4 2:4 2:6"},
        Spots{"carriage_returns", "a: 1\r\nb: 2\rc: 3\n", "1:1 1:4 2:4 3:4"},
        Spots{"tag_and_anchor", "a: !!str &x b\nc: &y\n  d: 1\n", "1:1 1:4 2:4 3:6"},
        Spots{"byte_order_mark",
              "\xEF\xBB\xBF"
              "a: 1",
              "1:1 1:4"},
        Spots{"alias_is_where_the_anchor_is", "a: &x [1]\nb: *x\n", "1:1 1:4 1:8 1:4 1:8"}),
    tests::kRowNames);

}  // namespace
}  // namespace spec::document
