#include "spec/json/pointer.hpp"

#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::json {
namespace {

using testing::ElementsAre;
using testing::Optional;

struct LookUp {
  std::string name;
  std::string pointer;
  std::string found;  // as JSON text; "" for nothing
};

using PointerFind = spec::tests::RowTest;

// The first eleven are RFC 6901 §5.
TEST_P(PointerFind, follows_rfc_6901) {
  const LookUp& row = GetParam();

  const auto document = read(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,)"
                             R"("i\\j":5,"k\"l":6," ":7,"m~n":8})");

  const nlohmann::json* value = find(*document, row.pointer);

  EXPECT_EQ(value == nullptr ? "" : write(*value).substr(0, 20), row.found);
}

const std::vector<LookUp> kPointerFindRows = {{"whole", "", R"({"":0," ":7,"a/b":1,)"},
                                              {"member", "/foo", R"(["bar","baz"])"},
                                              {"element", "/foo/0", R"("bar")"},
                                              {"empty_name", "/", "0"},
                                              {"slash", "/a~1b", "1"},
                                              {"percent", "/c%d", "2"},
                                              {"caret", "/e^f", "3"},
                                              {"bar", "/g|h", "4"},
                                              {"backslash", "/i\\j", "5"},
                                              {"quote", "/k\"l", "6"},
                                              {"blank", "/ ", "7"},
                                              {"tilde", "/m~0n", "8"},
                                              {"no_member", "/none", ""},
                                              {"past_the_end", "/foo/2", ""},
                                              {"dash", "/foo/-", ""},
                                              {"leading_zero", "/foo/00", ""},
                                              {"sign", "/foo/+1", ""},
                                              {"huge_index", "/foo/18446744073709551616", ""},
                                              {"into_a_scalar", "/a~1b/0", ""},
                                              {"no_slash", "foo", ""},
                                              {"bad_escape", "/m~2n", ""},
                                              {"cut_escape", "/m~", ""}};

INSTANTIATE_TEST_SUITE_P(, PointerFind, testing::ValuesIn(spec::tests::rows(kPointerFindRows)),
                         spec::tests::kRowNames);

TEST(PointerPlace, is_one_to_write_to) {
  auto document = *read(R"({"a": [1, {"b": 2}]})");

  *find(document, "/a/1/b") = 3;

  EXPECT_EQ(write(document), R"({"a":[1,{"b":3}]})");
}

TEST(PointerErase, takes_members_away_and_nothing_else) {
  auto document = *read(R"({"a": [1, {"b/c": 2, "d": 3}], "": 4})");

  for (const auto* pointer : {"/a/1/b~1c", "/", "", "/a/0", "/a/1/none", "/none/d", "a", "/a~"}) {
    erase_member(document, pointer);
  }

  EXPECT_EQ(write(document), R"({"a":[1,{"d":3}]})");
}

TEST(PointerSplit, unescapes_tokens_once) {
  EXPECT_THAT(split_pointer(""), Optional(ElementsAre()));
  EXPECT_THAT(split_pointer("/"), Optional(ElementsAre("")));
  EXPECT_THAT(split_pointer("/~01/~1~0//x"), Optional(ElementsAre("~1", "/~", "", "x")));
  EXPECT_EQ(split_pointer("x"), std::nullopt);
  EXPECT_EQ(split_pointer("/~x"), std::nullopt);
}

TEST(PointerAppend, escapes_tokens) {
  std::string pointer;
  append_token(pointer, "a/b~c");
  append_token(pointer, "");
  append_token(pointer, std::size_t{12});

  EXPECT_EQ(pointer, "/a~1b~0c//12");
}

}  // namespace
}  // namespace spec::json
