// RFC 6902: each operation, what it cannot do, and how large it may make a value.

#include "spec/json/patch.hpp"

#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace spec::json {
namespace {

struct PatchedRow {
  std::string name;
  std::string target;
  std::string patch;
  std::string result;  // JSON; else how the error begins, "409 /0/path"
};

const std::vector<PatchedRow> kPatchedRows{
    {"add_member", R"({"a":1})", R"([{"op":"add","path":"/b","value":[2]}])", R"({"a":1,"b":[2]})"},
    {"add_replaces", R"({"a":1})", R"([{"op":"add","path":"/a","value":null}])", R"({"a":null})"},
    {"add_element", R"({"a":[1,3]})", R"([{"op":"add","path":"/a/1","value":2}])",
     R"({"a":[1,2,3]})"},
    {"add_at_the_end", R"({"a":[1]})",
     R"([{"op":"add","path":"/a/-","value":2},{"op":"add","path":"/a/2","value":3}])",
     R"({"a":[1,2,3]})"},
    {"add_beyond_the_end", R"({"a":[1]})", R"([{"op":"add","path":"/a/2","value":2}])",
     "409 /0/path"},
    {"add_below_nothing", R"({"a":1})", R"([{"op":"add","path":"/b/c","value":2}])", "409 /0/path"},
    {"add_below_a_text", R"({"a":"x"})", R"([{"op":"add","path":"/a/c","value":2}])",
     "409 /0/path"},
    {"add_to_the_whole", R"({"a":1})", R"([{"op":"add","path":"","value":{"b":2}}])", R"({"b":2})"},
    {"remove", R"({"a":1,"b":[1,2]})",
     R"([{"op":"remove","path":"/a"},{"op":"remove","path":"/b/0"}])", R"({"b":[2]})"},
    {"remove_nothing", R"({"a":"x"})", R"([{"op":"remove","path":"/a/b"}])", "409 /0/path"},
    {"replace", R"({"a":{"b":1}})", R"([{"op":"replace","path":"/a/b","value":"x"}])",
     R"({"a":{"b":"x"}})"},
    {"replace_nothing", R"({"a":1})", R"([{"op":"replace","path":"/b","value":1}])", "409 /0/path"},
    {"move", R"({"a":{"b":1},"c":[]})", R"([{"op":"move","from":"/a/b","path":"/c/0"}])",
     R"({"a":{},"c":[1]})"},
    {"move_to_itself", R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])", R"({"a":1})"},
    {"move_below_itself", R"({"a":{}})", R"([{"op":"move","from":"/a","path":"/a/b"}])",
     "422 /0/path"},
    {"move_of_nothing", R"({"a":1})", R"([{"op":"move","from":"/b","path":"/a"}])", "409 /0/from"},
    {"copy_below_itself", R"({"a":{"b":1}})", R"([{"op":"copy","from":"/a","path":"/a/c"}])",
     R"({"a":{"b":1,"c":{"b":1}}})"},
    {"test_numbers", R"({"a":1.10})", R"([{"op":"test","path":"/a","value":1.1}])",
     R"({"a":1.10})"},
    {"test_large_numbers", R"({"a":9007199254740993})",
     R"([{"op":"test","path":"/a","value":9007199254740992.0}])", "409 /0/value"},
    {"test_members_in_any_order", R"({"a":{"b":1,"c":2}})",
     R"([{"op":"test","path":"/a","value":{"c":2,"b":1}}])", R"({"a":{"b":1,"c":2}})"},
    {"escapes", R"({"a/b":1,"m~n":2})",
     R"([{"op":"remove","path":"/a~1b"},{"op":"test","path":"/m~0n","value":2}])", R"({"m~n":2})"},
    {"the_second_fails", R"({"a":1})",
     R"([{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}])", "409 /1/path"},
    {"an_index_with_a_zero", R"({"a":[1,2]})", R"([{"op":"remove","path":"/a/01"}])",
     "409 /0/path"},
    {"no_list", R"({"a":1})", R"({"op":"remove","path":"/a"})", "422 "},
    {"no_operation", R"({"a":1})", R"([5])", "422 /0/path"},
    {"another_operation", R"({"a":1})", R"([{"op":"turn","path":"/a"}])", "422 /0/op"},
    {"no_value", R"({"a":1})", R"([{"op":"add","path":"/a"}])", "422 /0/value"},
    {"no_pointer", R"({"a":1})", R"([{"op":"remove","path":"a"}])", "422 /0/path"}};

using Patching = spec::tests::RowTest;

TEST_P(Patching, does_every_operation_or_none) {
  const PatchedRow& row = GetParam();

  const auto patched = apply_patch(read(row.target).value(), read(row.patch).value());

  const std::string shown =
      patched ? write(*patched)
              : (patched.error().is_of_target ? "409 " : "422 ") + patched.error().pointer;
  EXPECT_EQ(shown, row.result) << (patched ? "" : patched.error().message);
}

INSTANTIATE_TEST_SUITE_P(, Patching, testing::ValuesIn(spec::tests::rows(kPatchedRows)),
                         spec::tests::kRowNames);

// A list that is copied to its own end, again and again.
std::string doubled_list(int count) {
  std::string patch = R"([{"op":"add","path":"/x","value":[1]})";
  for (int number = 0; number < count; ++number) {
    patch += R"(,{"op":"copy","from":"/x","path":"/x/-"})";
  }
  return patch + ']';
}

// An object that is copied into its innermost one.
std::string doubled_depth(int count) {
  std::string patch = R"([{"op":"add","path":"/x","value":{"k":{}}})";
  std::string keys = "/k";
  for (int number = 0; number < count; ++number) {
    patch += R"(,{"op":"copy","from":"/x","path":"/x)" + keys + "/k\"}";
    keys += "/k" + keys;
  }
  return patch + ']';
}

TEST(Patch, makes_nothing_that_is_very_deep_or_large) {
  const nlohmann::json target = nlohmann::json::object();

  const auto large = apply_patch(target, read(doubled_list(30)).value());
  const auto deep = apply_patch(target, read(doubled_depth(6)).value());
  const auto allowed = apply_patch(target, read(doubled_depth(5)).value());

  ASSERT_FALSE(large);
  EXPECT_THAT(large.error().message, testing::HasSubstr("128 levels or 4 MiB"));
  ASSERT_FALSE(deep);
  EXPECT_THAT(deep.error().message, testing::HasSubstr("128 levels or 4 MiB"));
  EXPECT_TRUE(allowed);
}

}  // namespace
}  // namespace spec::json
