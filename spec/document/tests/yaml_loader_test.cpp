#include "spec/document/library.hpp"
#include "spec/document/tests/loading.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::document {
namespace {

struct LoadedText {
  std::string name;
  std::string yaml;
  std::string json;
};

using YamlDocument = spec::tests::RowTest;

TEST_P(YamlDocument, holds_what_the_text_says) {
  const LoadedText& row = GetParam();

  EXPECT_EQ(loaded(row.yaml), row.json);
}

const std::vector<LoadedText> kStructureYamlDocument = {
    {"block", "a:\n  - 1\n  - b: c\n    d:\n", R"({"a":[1,{"b":"c","d":null}]})"},
    {"flow", "{a: [1, {b: c}], d: }", R"({"a":[1,{"b":"c"}],"d":null})"},
    {"scalar", "word\n", "\"word\""},
    {"explicit_null", "---\n", "null"},
    {"byte_order_mark",
     "\xEF\xBB\xBF"
     "a: 1",
     R"({"a":1})"},
    {"version", "%YAML 1.2\n---\na: 1\n", R"({"a":1})"},
    {"document_end", "a: 1\n...\n", R"({"a":1})"},
    {"comments", "# one\na: 1 # two\n# three\n", R"({"a":1})"},
    {"crlf", "a: 1\r\nb:\r\n  - 2\r\n", R"({"a":1,"b":[2]})"},
    {"carriage_returns", "a: 1\rb:\r  - 2\r", R"({"a":1,"b":[2]})"},
    {"crlf_in_scalars", "a: |\r\n  x\r\n\r\n  y\r\nb: \"x\r\n  y\"\r\nc: \"\\r\"\r\n",
     R"({"a":"x\n\ny\n","b":"x y","c":"\r"})"},
    {"empty_elements", "-\n- \n-\n  a\n", R"([null,null,"a"])"},
    {"single_pair", "[a: 1, b]", R"([{"a":1},"b"])"}};

INSTANTIATE_TEST_SUITE_P(Structure, YamlDocument,
                         testing::ValuesIn(spec::tests::rows(kStructureYamlDocument)),
                         spec::tests::kRowNames);

const std::vector<LoadedText> kScalarsYamlDocument = {
    {"strings_that_look_otherwise", "[no, on, 2025-08-04, 1_000, '1', \"true\"]",
     R"(["no","on","2025-08-04","1_000","1","true"])"},
    {"numbers", "[1.50, 0x1F, 0o17, +1, 1e3]", "[1.50,31,15,1,1e3]"},
    {"literal", "a: |\n  one\n  two\n", R"({"a":"one\ntwo\n"})"},
    {"folded", "a: >-\n  one\n  two\n", R"({"a":"one two"})"},
    {"block_number", "a: |-\n  1\n", R"({"a":"1"})"},
    {"plain_lines", "a: one\n  two\n", R"({"a":"one two"})"},
    {"escapes", R"(["\x41\u00e9\n", 'it''s'])", R"(["Aé\n","it's"])"},
    {"runs_of_quotes", "['''''ab''', '''''''''''''a''']", R"(["''ab'","''''''a'"])"},
    {"nul_escape", R"("\0")", R"("\u0000")"}};

INSTANTIATE_TEST_SUITE_P(Scalars, YamlDocument,
                         testing::ValuesIn(spec::tests::rows(kScalarsYamlDocument)),
                         spec::tests::kRowNames);

const std::vector<LoadedText> kKeysYamlDocument = {
    {"status_codes", "200: a\n4XX: b\n'404': c\n", R"({"200":"a","404":"c","4XX":"b"})"},
    {"other_words", "{no: 1, true: 2, ~: 3, 1.50: 4, 2025-08-04: 5, .inf: 6}",
     R"({".inf":6,"1.50":4,"2025-08-04":5,"no":1,"true":2,"~":3})"},
    {"empty", "'': a\n", R"({"":"a"})"},
    {"quoted", "\"a b\": 1\n", R"({"a b":1})"},
    {"explicit", "? a\n: 1\n", R"({"a":1})"},
    {"folded", "? >-\n  a\n  b\n: 1\n", R"({"a b":1})"}};

INSTANTIATE_TEST_SUITE_P(Keys, YamlDocument,
                         testing::ValuesIn(spec::tests::rows(kKeysYamlDocument)),
                         spec::tests::kRowNames);

const std::vector<LoadedText> kAliasesYamlDocument = {
    {"scalar", "a: &x 1.50\nb: *x\n", R"({"a":1.50,"b":1.50})"},
    {"collection", "a: &x {c: [1]}\nb: [*x, *x]\n", R"({"a":{"c":[1]},"b":[{"c":[1]},{"c":[1]}]})"},
    {"redefined", "[&x 1, *x, &x 2, *x]", "[1,1,2,2]"},
    {"null", "[&x , *x]", "[null,null]"},
    {"of_a_key", "&k a: *k\n", R"({"a":"a"})"},
    {"as_a_key", "[&k a, {*k : 1}]", R"(["a",{"a":1}])"},
    {"number_as_a_key", "[&k 0x10, {*k : 1}]", R"([16,{"0x10":1}])"},
    {"nested", "a: &x [1, &y [2]]\nb: *y\nc: *x\n", R"({"a":[1,[2]],"b":[2],"c":[1,[2]]})"}};

INSTANTIATE_TEST_SUITE_P(Aliases, YamlDocument,
                         testing::ValuesIn(spec::tests::rows(kAliasesYamlDocument)),
                         spec::tests::kRowNames);

const std::vector<LoadedText> kMergesYamlDocument = {
    {"alias", "a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\n",
     R"({"a":{"p":1,"q":2},"b":{"p":1,"q":3}})"},
    {"own_key_first", "a: &x {p: 1, q: 2}\nb: {q: 3, <<: *x}\n",
     R"({"a":{"p":1,"q":2},"b":{"p":1,"q":3}})"},
    {"list_earlier_wins", "[&x {p: 1}, &y {p: 2, q: 2}, {<<: [*x, *y]}]",
     R"([{"p":1},{"p":2,"q":2},{"p":1,"q":2}])"},
    {"mapping", "{<<: {p: 1}, q: 2}", R"({"p":1,"q":2})"},
    {"of_merged", "[&x {p: 1}, &y {<<: *x, q: 2}, {<<: *y, r: 3}]",
     R"([{"p":1},{"p":1,"q":2},{"p":1,"q":2,"r":3}])"},
    {"nested_value", "[&x {p: {q: [1]}}, {<<: *x}]", R"([{"p":{"q":[1]}},{"p":{"q":[1]}}])"},
    {"quoted_is_a_name", "{'<<': 1}", R"({"<<":1})"},
    {"nothing", "{<<: []}", "{}"}};

INSTANTIATE_TEST_SUITE_P(Merges, YamlDocument,
                         testing::ValuesIn(spec::tests::rows(kMergesYamlDocument)),
                         spec::tests::kRowNames);

const std::vector<LoadedText> kTagsYamlDocument = {
    {"string", "[!!str 1, !!str true, !!str , x]", R"(["1","true","","x"])"},
    {"non_specific", "[! 1, ! [2]]", R"(["1",[2]])"},
    {"numbers", "[!!int 1, !!float 1, !!float 1.5, !!int '7']", "[1,1,1.5,7]"},
    {"others", "[!!null ~, !!bool true, !!map {}, !!seq []]", "[null,true,{},[]]"},
    {"by_directive", "%TAG !c! tag:yaml.org,2002:\n---\n!c!str 1\n", "\"1\""},
    {"verbatim", "!<tag:yaml.org,2002:str> 1", "\"1\""}};

INSTANTIATE_TEST_SUITE_P(Tags, YamlDocument,
                         testing::ValuesIn(spec::tests::rows(kTagsYamlDocument)),
                         spec::tests::kRowNames);

struct Spots {
  std::string name;
  std::string yaml;
  std::string spots;
};

using YamlPlaces = spec::tests::RowTest;

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
  const Spots& row = GetParam();

  Library library;
  std::string spots;

  append_spots(library.add("test:it", "it", row.yaml, Format::kYaml), spots);

  EXPECT_EQ(spots, row.spots);
}

const std::vector<Spots> kYamlPlacesRows = {
    {"block", "a:\n  b: 1\n  c:\n    - x\n", "1:1 2:3 2:6 4:5 4:7"},
    {"flow", "{a: [1, {b: é, c: d}]}", "1:1 1:5 1:6 1:9 1:13 1:19"},
    {"quoted", "a: \"x\"\nb: 'y'\n", "1:1 1:4 2:4"},
    {"quoted_lines", "a: \"x\n  y\"\nb: 1\n", "1:1 1:4 3:4"},
    {"literal", "a: |\n  x | y\nb: >- # why | not\n\n  z\n", "1:1 1:4 3:4"},
    {"empty_value_has_its_keys", "a: 1\nbc:\nd: {e, f: }\n", "1:1 1:4 2:1 3:4 3:5 3:8"},
    {"empty_element_has_its_dash", "- 1\n-\n# c\n- \n- 2\n", "1:1 1:3 2:1 4:1 5:3"},
    {"multibyte", "é: {ключ: 😀, b: c}\n", "1:1 1:4 1:11 1:17"},
    {"tab", "a:\t1\nb: [\t2]\n", "1:1 1:4 2:4 2:6"},
    {"carriage_returns", "a: 1\r\nb: 2\rc: 3\n", "1:1 1:4 2:4 3:4"},
    {"tag_and_anchor", "a: !!str &x b\nc: &y\n  d: 1\n", "1:1 1:4 2:4 3:6"},
    {"byte_order_mark",
     "\xEF\xBB\xBF"
     "a: 1",
     "1:1 1:4"},
    {"alias_is_where_the_anchor_is", "a: &x [1]\nb: *x\n", "1:1 1:4 1:8 1:4 1:8"}};

INSTANTIATE_TEST_SUITE_P(, YamlPlaces, testing::ValuesIn(spec::tests::rows(kYamlPlacesRows)),
                         spec::tests::kRowNames);

}  // namespace
}  // namespace spec::document
