// The places that a pattern names, and their pointers.

#include "contract_tests/checks/json_places.hpp"
#include "spec/json/read.hpp"

#include <gmock/gmock.h>

#include <string_view>
#include <vector>

namespace contract_tests::checks {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

// "POINTER VALUE" of each visited place.
std::vector<std::string> visited(std::string_view text, std::string_view pattern) {
  const auto value = spec::json::read(text);
  std::vector<std::string> places;
  each_place(value.value(), pattern, [&places](const Place& place, const json& there) {
    places.push_back(place.text() + ' ' + shown(there));
  });
  return places;
}

TEST(Places, a_star_is_every_element_and_each_place_has_its_own_pointer) {
  constexpr auto kText =
      R"({"items": [{"m": [{"p": 1}, {"p": 2}]}, {"m": []}, {"m": [{"p": 3}]}]})";

  EXPECT_THAT(visited(kText, "/items/*/m/*/p"),
              ElementsAre("/items/0/m/0/p 1", "/items/0/m/1/p 2", "/items/2/m/0/p 3"));
  EXPECT_THAT(visited(kText, "/items/1/m"), ElementsAre("/items/1/m []"));
}

TEST(Places, an_element_and_the_root_are_places) {
  EXPECT_THAT(visited("[7, 8]", "/*"), ElementsAre("/0 7", "/1 8"));
  EXPECT_THAT(visited("[[7], 8]", "/*/*"), ElementsAre("/0/0 7"));
  EXPECT_THAT(visited("7", ""), ElementsAre(" 7"));
}

TEST(Places, missing_places_are_skipped) {
  EXPECT_THAT(visited(R"({"items": {"0": {"p": 1}}})", "/items/*/p"), IsEmpty());
  EXPECT_THAT(visited(R"({"items": [{"q": 1}]})", "/items/*/p"), IsEmpty());
}

// The places at which the two texts differ, and what is left of the first without them.
std::string differences(std::string_view left, std::string_view right) {
  auto value = spec::json::read(left).value();
  const auto places = differing_places(value, spec::json::read(right).value());
  drop_places(value, places);
  std::string text;
  for (const auto& place : places) {
    text += place + ' ';
  }
  return text + value.dump();
}

TEST(Differences, are_the_smallest_places_and_can_be_taken_out) {
  EXPECT_EQ(
      differences(R"({"a": 1, "b": {"c": 2, "d": 3}})", R"({"a": 1.0, "b": {"c": 4, "d": 3}})"),
      R"(/b/c {"a":1,"b":{"d":3}})");
  EXPECT_EQ(differences(R"({"l": [{"t": 1}, {"t": 2}]})", R"({"l": [{"t": 1}, {"t": 3}]})"),
            R"(/l/*/t {"l":[{},{}]})");
  EXPECT_EQ(differences("[1, 2]", "[1, 3]"), "/* [null,null]");
  EXPECT_EQ(differences(R"({"l": [1], "m": 1})", R"({"l": [1, 2]})"), "/l /m {}");
  EXPECT_EQ(differences(R"({"m": {"a": 1, "b": 2}, "n": 1})", R"({"m": {"c": 1}, "n": 1})"),
            R"(/m {"n":1})");
  EXPECT_EQ(differences(R"({"m": {}, "n": {"o": 1}})", R"({"m": {"a": 1}, "n": {"o": 2, "p": 3}})"),
            R"(/m /n/o /n/p {"n":{}})");
  EXPECT_EQ(differences(R"([{"m": {"a": 1}}, {"n": 1}])", R"([{"m": {"b": 1}}, {"n": 1}])"),
            R"(/*/m [{},{"n":1}])");
  EXPECT_EQ(differences(R"({"a/b": 1})", R"({"a/b": 2})"), "/a~1b {}");
  EXPECT_EQ(differences("1", "{}"), " null");
  EXPECT_EQ(differences("1", "1"), "1");
}

}  // namespace
}  // namespace contract_tests::checks
