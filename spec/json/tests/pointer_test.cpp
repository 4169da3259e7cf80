#include "spec/json/pointer.hpp"

#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/tests/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ostream>
#include <string>

namespace spec::json {
namespace {

using testing::ElementsAre;
using testing::Optional;

struct LookUp {
  std::string name;
  std::string pointer;
  std::string found;  // as JSON text; "" for nothing
};

void PrintTo(const LookUp& look_up, std::ostream* out) {
  *out << look_up.pointer;
}

class PointerFind : public testing::TestWithParam<LookUp> {};

// The first eleven are RFC 6901 §5.
TEST_P(PointerFind, follows_rfc_6901) {
  const auto document = read(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,)"
                             R"("i\\j":5,"k\"l":6," ":7,"m~n":8})");

  const nlohmann::json* value = find(*document, GetParam().pointer);

  EXPECT_EQ(value == nullptr ? "" : write(*value).substr(0, 20), GetParam().found);
}

INSTANTIATE_TEST_SUITE_P(
    , PointerFind,
    testing::Values(LookUp{"whole", "", R"({"":0," ":7,"a/b":1,)"},
                    LookUp{"member", "/foo", R"(["bar","baz"])"},
                    LookUp{"element", "/foo/0", R"("bar")"}, LookUp{"empty_name", "/", "0"},
                    LookUp{"slash", "/a~1b", "1"}, LookUp{"percent", "/c%d", "2"},
                    LookUp{"caret", "/e^f", "3"}, LookUp{"bar", "/g|h", "4"},
                    LookUp{"backslash", "/i\\j", "5"}, LookUp{"quote", "/k\"l", "6"},
                    LookUp{"blank", "/ ", "7"}, LookUp{"tilde", "/m~0n", "8"},
                    LookUp{"no_member", "/none", ""}, LookUp{"past_the_end", "/foo/2", ""},
                    LookUp{"dash", "/foo/-", ""}, LookUp{"leading_zero", "/foo/00", ""},
                    LookUp{"sign", "/foo/+1", ""},
                    LookUp{"huge_index", "/foo/18446744073709551616", ""},
                    LookUp{"into_a_scalar", "/a~1b/0", ""}, LookUp{"no_slash", "foo", ""},
                    LookUp{"bad_escape", "/m~2n", ""}, LookUp{"cut_escape", "/m~", ""}),
    tests::kRowNames);

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
